import { languages, type Language, type Translations } from "@alcove/i18n";
import { ALL_PARTS, partsOf, type TextPart } from "./text-parts.ts";

type Texts = Partial<Translations>;
type Loaders = Record<string, () => Promise<Texts>>;

// `web/split-texts.ts` splits the files, in component tests too.
const loaders: Record<TextPart, Loaders> = {
  base: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=base",
    import: "default",
  }),
  member: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=member",
    import: "default",
  }),
  chat: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=chat",
    import: "default",
  }),
  forms: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=forms",
    import: "default",
  }),
  settings: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=settings",
    import: "default",
  }),
  pages: import.meta.glob<Texts>("../../../../i18n/locales/*.json", {
    query: "?part=pages",
    import: "default",
  }),
};

interface Loaded {
  readonly parts: ReadonlySet<TextPart>;
  readonly texts: Translations;
}

const NEEDS_OF_ERRORS = { pathname: "", isLoggedIn: false };

const loaded = new Map<Language, Loaded>();

export interface TextNeeds {
  pathname: string;
  isLoggedIn: boolean;
  /** Notices of an earlier page may use any text. */
  hasNotices?: boolean;
}

function neededParts({ pathname, isLoggedIn, hasNotices = false }: TextNeeds): readonly TextPart[] {
  return hasNotices ? ALL_PARTS : partsOf(pathname, isLoggedIn);
}

/** Whether the screen shows more than a login does. */
export function needsMore(needs: TextNeeds): boolean {
  return neededParts(needs).length > 1;
}

export function hasTexts(language: Language, needs: TextNeeds): boolean {
  return neededParts(needs).every((part) => loaded.get(language)?.parts.has(part));
}

/** Loads the texts of a screen. Those loaded before stay. */
export async function prepareTexts(language: Language, needs: TextNeeds): Promise<void> {
  const missing = neededParts(needs).filter((part) => !loaded.get(language)?.parts.has(part));
  if (missing.length === 0) return;
  const texts = await Promise.all(
    missing.map((part) => loaders[part][`../../../../i18n/locales/${language}.json`]!()),
  );
  const before = loaded.get(language);
  loaded.set(language, {
    parts: new Set([...(before?.parts ?? []), ...missing]),
    texts: [before?.texts ?? {}, ...texts].reduce<Record<string, object>>(addTexts, {}) as Translations,
  });
}

/**
 * Loads the texts of errors, of another language if this one has never been loaded and there is no connection.
 *
 * @throws if no language can be loaded
 */
export async function prepareErrorTexts(language: Language): Promise<void> {
  let loading = prepareTexts(language, NEEDS_OF_ERRORS);
  for (const other of languages) loading = loading.catch(() => prepareTexts(other, NEEDS_OF_ERRORS));
  await loading;
}

/** Parts share some namespaces. */
function addTexts(all: Record<string, object>, more: object): Record<string, object> {
  const entries = Object.entries(more) as [string, object][];
  return {
    ...all,
    ...Object.fromEntries(entries.map(([name, texts]) => [name, { ...all[name], ...texts }])),
  };
}

/** Returns another language if the texts of this one could not be loaded. */
export function readableLanguage(language: Language): Language {
  const [other = language] = loaded.keys();
  return loaded.has(language) ? language : other;
}

/** @throws if `prepareTexts` has not loaded the language */
export function textsOf(language: Language): Translations {
  const entry = loaded.get(language);
  if (!entry) throw new Error(`the texts of ${language} are not loaded`);
  return entry.texts;
}
