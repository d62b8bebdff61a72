let title: string | null = null;
let disguise: { title: string; restore: () => void } | null = null;
let disguises = 0;

/** A disguised tab takes the title when it is shown again. */
export function setTitle(text: string): void {
  title = text;
  if (!disguise) document.title = text;
}

/** Gives the tab the title and icon of another app, and marks the root element. Returns a function that ends it; disguises may overlap. */
export function disguiseTab(as: string): () => void {
  disguises++;
  if (!disguise) {
    title = document.title;
    disguise = { title: as, restore: hideIcons() };
    document.documentElement.dataset["disguised"] = "";
  }
  document.title = as;
  return () => {
    disguises--;
    if (disguises > 0 || !disguise) return;
    disguise.restore();
    disguise = null;
    delete document.documentElement.dataset["disguised"];
    document.title = title ?? "";
  };
}

function hideIcons(): () => void {
  const icons = [...document.querySelectorAll<HTMLLinkElement>('link[rel="icon"]')];
  const addresses = icons.map((icon) => icon.getAttribute("href") ?? "");
  for (const icon of icons) icon.setAttribute("href", "data:,");
  return () => {
    for (const [position, icon] of icons.entries()) icon.setAttribute("href", addresses[position]!);
  };
}
