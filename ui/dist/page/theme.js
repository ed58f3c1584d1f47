// Before the first paint: the theme that was chosen in this browser.
(() => {
  try {
    const theme = JSON.parse(localStorage.getItem("settings") || "{}").theme;
    if (["light", "dark", "contrast"].includes(theme)) document.documentElement.dataset.theme = theme;
  } catch {
    // Settings that do not read are as good as none; the page says so when it reads them.
  }
})();
