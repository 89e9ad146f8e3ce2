"use strict";
(() => {
  const page = document.documentElement;
  const byId = (id) => document.getElementById(id);

  // -- light and dark ---------------------------------------------------------------------

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (page.dataset.theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  const themeButton = byId("theme");
  const showTheme = () => {
    themeButton.setAttribute("aria-pressed", String(isDark()));
    page.dispatchEvent(new CustomEvent("theme"));
  };
  themeButton.hidden = false;
  themeButton.addEventListener("click", () => {
    page.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  });
  prefersDark.addEventListener("change", showTheme);

  // -- tables as files --------------------------------------------------------------------

  const csvOf = (table) => [...table.rows]
    .map((row) => [...row.cells].map((cell) => `"${cell.textContent.replaceAll('"', '""')}"`))
    .map((cells) => cells.join(",")).join("\n");
  for (const box of document.querySelectorAll(".scroll")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "small";
    button.textContent = "Save as CSV";
    button.setAttribute("aria-label", `Save as CSV: ${box.querySelector("table").caption.textContent}`);
    button.addEventListener("click", () => {
      const link = document.createElement("a");
      const table = box.querySelector("table");
      link.href = URL.createObjectURL(new Blob([csvOf(table)], {type: "text/csv"}));
      const words = table.caption.textContent.toLowerCase().replace(/[^a-z0-9]+/g, "-");
      link.download = `${words.slice(0, 60)}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
    box.after(button);
  }

  showTheme();
})();
