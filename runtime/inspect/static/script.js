"use strict";

// A form is sent once, even if its button is clicked twice. The value of a button is sent only if it is enabled
// until the browser has read the form, which is after this event.
document.addEventListener("submit", ({ target: form }) => {
  if (form.method !== "post") return;
  setTimeout(() => {
    for (const button of form.querySelectorAll("button")) button.disabled = true;
  });
});
// A page that comes back from the history can be sent again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  for (const button of document.querySelectorAll("button")) button.disabled = false;
});

// The page of a run that goes on replaces the parts that change. A part in which somebody types stays.
const live = document.querySelector("[data-events]");
if (live) {
  const events = new EventSource(live.dataset.events);
  events.addEventListener("part", (event) => {
    const { id, html } = JSON.parse(event.data);
    const old = document.getElementById(id);
    const active = document.activeElement;
    if (!old || (old.contains(active) && active.matches("input, textarea, select"))) return;
    const open = [...old.querySelectorAll("details")].map((d) => d.open);
    const parsed = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    old.replaceWith(parsed);
    parsed.querySelectorAll("details").forEach((d, i) => { if (open[i]) d.open = true; });
  });
  events.addEventListener("end", () => events.close());
}
