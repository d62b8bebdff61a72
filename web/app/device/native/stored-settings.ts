/** No member's data: what pages of a browser contain. */
const KEY = "settings";

type Settings = Readonly<Record<string, string>>;

export function storedSettings(): Settings | null {
  const text = localStorage.getItem(KEY);
  return text === null ? null : (JSON.parse(text) as Settings);
}

export function storeSettings(settings: Settings): void {
  localStorage.setItem(KEY, JSON.stringify(settings));
}
