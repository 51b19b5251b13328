// The button that changes between light and dark. theme.js has set what was chosen before anything was painted.

/** Lets a button change the theme, and says what it would change to. */
export function themeButton(button) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  const isDark = () => dataset.theme === "dark" || (dataset.theme === "auto" && dark.matches);
  const name = () => button.setAttribute("aria-label", `Use the ${isDark() ? "light" : "dark"} theme`);
  dark.addEventListener("change", name);
  button.addEventListener("click", () => {
    dataset.theme = isDark() ? "light" : "dark";
    try {
      localStorage.setItem("theme", dataset.theme);
    } catch {
      // It is for this page then.
    }
    name();
  });
  name();
}
