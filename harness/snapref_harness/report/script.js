// Filters and unfolds the ledger. Without it the page is complete, only longer to search.
"use strict";
const form = document.getElementById("filter");
const shown = document.getElementById("shown");
const none = document.getElementById("none");
const claims = [...document.querySelectorAll(".claim")].map((element) => ({
  element,
  document: element.dataset.document.split(" "),
  verdict: [element.dataset.verdict],
  evidence: element.dataset.evidence.split(" "),
  text: element.textContent.toLowerCase().replace(/\s+/g, " "),
}));

function filter() {
  const words = form.text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = ["document", "verdict", "evidence"].map((name) => [name, form.elements[name].value]);
  let count = 0;
  for (const claim of claims) {
    const fits = wanted.every(([name, value]) => !value || claim[name].includes(value))
      && words.every((word) => claim.text.includes(word));
    claim.element.hidden = !fits;
    count += fits;
  }
  none.hidden = count > 0;
  shown.textContent = count === claims.length ? `${count} claims` : `${count} of ${claims.length} claims`;
}

function fold(open) {
  for (const { element } of claims) if (!element.hidden) element.open = open;
}

// A link to a claim shows it, whatever the filter hides.
function follow() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target || !target.classList.contains("claim")) return;
  if (target.hidden) { form.reset(); filter(); }
  target.open = true;
  target.scrollIntoView();
}

form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
document.getElementById("unfold").addEventListener("click", () => fold(true));
document.getElementById("fold").addEventListener("click", () => fold(false));
for (const tile of document.querySelectorAll("a[data-verdict]")) {
  tile.addEventListener("click", () => { form.elements.verdict.value = tile.dataset.verdict; filter(); });
}
addEventListener("hashchange", follow);
follow();
