// Filter of the findings, and copy buttons. The page says everything without it.
(function () {
  "use strict";
  var list = document.querySelectorAll(".finding");
  var chips = document.querySelectorAll("[data-filter]");
  var search = document.getElementById("search");
  var none = document.getElementById("no-match");
  function show() {
    var wanted = [];
    chips.forEach(function (chip) {
      if (chip.getAttribute("aria-pressed") === "true") wanted.push(chip.dataset.filter);
    });
    var words = search ? search.value.toLowerCase().split(/\s+/) : [];
    var shown = 0;
    list.forEach(function (entry) {
      var fits = (!wanted.length || wanted.indexOf(entry.dataset.severity) >= 0) &&
        words.every(function (word) { return entry.dataset.text.indexOf(word) >= 0; });
      entry.hidden = !fits;
      shown += fits ? 1 : 0;
    });
    if (none) none.hidden = shown > 0 || !list.length;
  }
  chips.forEach(function (chip) {
    chip.addEventListener("click", function () {
      chip.setAttribute("aria-pressed", chip.getAttribute("aria-pressed") === "true" ? "false" : "true");
      show();
    });
  });
  if (search) search.addEventListener("input", show);
  document.querySelectorAll(".copy").forEach(function (button) {
    var text = button.textContent;
    button.addEventListener("click", function () {
      var code = button.parentNode.querySelector("code").textContent;
      if (!navigator.clipboard) return;
      navigator.clipboard.writeText(code).then(function () {
        button.textContent = button.dataset.done;
        setTimeout(function () { button.textContent = text; }, 1500);
      });
    });
  });
  window.addEventListener("beforeprint", function () {
    list.forEach(function (entry) { if (!entry.hidden) entry.open = true; });
  });
})();
