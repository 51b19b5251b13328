// Sets the theme before anything is painted; so it is no module. The rest is in appearance.js.
document.documentElement.dataset.theme = (() => {
  try {
    return localStorage.getItem("theme") || "auto";
  } catch {
    return "auto";
  }
})();
