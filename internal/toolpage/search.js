// Filters the list of tools by the words in the search field.
"use strict";
{
  const form = document.querySelector("form.search[hidden]");
  const status = document.getElementById("count");
  const items = Array.from(document.querySelectorAll("ul.tools > li"), (item) => ({
    item,
    text: item.dataset.search.toLowerCase(),
  }));
  const showMatches = () => {
    const words = form.elements.q.value.toLowerCase().split(/\s+/);
    let count = 0;
    for (const { item, text } of items) {
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) count++;
    }
    for (const group of document.querySelectorAll("section.group")) {
      group.hidden = !group.querySelector("ul.tools > li:not([hidden])");
    }
    status.textContent = count === 1 ? "1 tool" : count + " tools";
  };
  if (form) {
    form.hidden = false;
    form.addEventListener("input", showMatches);
    form.addEventListener("submit", (event) => event.preventDefault());
    showMatches();
  }
}
