"use strict";

// A form is sent once, even if its button is clicked twice. The browser reads the form after this event and leaves out
// disabled buttons, so they are disabled later.
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

// The page of a run that has not ended replaces the parts that change. It keeps a part in which somebody has typed.
const live = document.querySelector("[data-events]");
if (live) {
  const stale = document.getElementById("stale");
  const edited = new Set();
  live.addEventListener("input", ({ target }) => edited.add(target.closest("[data-events] > *").id));
  const showPart = (event) => {
    const { id, html } = JSON.parse(event.data);
    const old = document.getElementById(id);
    const active = document.activeElement;
    if (!old || edited.has(id) || (old.contains(active) && active.matches("input, textarea, select"))) return;
    const open = [...old.querySelectorAll("details")].map((d) => d.open);
    const parsed = new DOMParser().parseFromString(html, "text/html").body.firstElementChild;
    old.replaceWith(parsed);
    parsed.querySelectorAll("details").forEach((d, i) => { if (open[i]) d.open = true; });
  };
  // Browsers open few connections to a server, so hidden pages must not occupy them.
  let events = null, ended = false;
  const watch = () => {
    if (document.hidden || ended) {
      events?.close();
      events = null;
    } else if (!events) {
      events = new EventSource(live.dataset.events);
      events.addEventListener("part", showPart);
      events.addEventListener("error", () => { stale.hidden = false; });
      events.addEventListener("open", () => { stale.hidden = true; });
      events.addEventListener("end", () => { ended = true; watch(); });
    }
  };
  document.addEventListener("visibilitychange", watch);
  watch();
}
