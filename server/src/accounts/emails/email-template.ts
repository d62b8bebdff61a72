import type { Language } from "@alcove/i18n";
import { escapeHtml } from "../../platform/lib/escape-html.ts";

export const HTML_LANG: Record<Language, string> = {
  en: "en",
  ja: "ja",
  "zh-hans": "zh-Hans",
  "zh-hant": "zh-Hant",
};

export function renderEmail(email: {
  language: Language;
  brand: string;
  paragraphs: readonly string[];
  code: string | null;
}): { text: string; html: string } {
  const { language, brand, paragraphs, code } = email;
  const [intro = "", ...more] = paragraphs;
  const text = [intro, ...(code ? [code] : []), ...more, brand].join("\n\n");

  const paragraph = (words: string) => {
    const text = escapeHtml(words).replaceAll("\n", "<br>");
    const isLink = /^https?:\/\/\S+$/.test(words);
    return `<p style="margin:0 0 16px">${isLink ? `<a href="${text}">${text}</a>` : text}</p>`;
  };
  const codeLine = code
    ? `<p style="margin:0 0 16px;font-size:28px;font-weight:600;letter-spacing:4px;font-family:monospace">${code}</p>`
    : "";
  const html = [
    "<!doctype html>",
    `<html lang="${HTML_LANG[language]}">`,
    `<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(brand)}</title></head>`,
    '<body style="margin:0;padding:24px;font-family:system-ui,sans-serif;font-size:16px;line-height:1.5">',
    paragraph(intro),
    codeLine,
    ...more.map(paragraph),
    `<p style="margin:0">${escapeHtml(brand)}</p>`,
    "</body></html>",
    "",
  ].join("\n");
  return { text: `${text}\n`, html };
}
