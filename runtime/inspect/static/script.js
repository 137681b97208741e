"use strict";

// A form is sent once, even if its button is clicked twice.
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener("submit", () => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
  });
}
// A page that comes back from the history can be sent again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});
