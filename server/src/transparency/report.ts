import { escapeHtml } from "../platform/lib/escape-html.ts";
import type { YearFigure } from "./figures.ts";

interface Report {
  readonly brand: string;
  readonly year: number;
  readonly figures: readonly YearFigure[];
  readonly medianDays: number | null;
}

const GROUPS: Readonly<Record<string, string>> = {
  notices: "Notices by kind",
  reports: "Reports of members by reason",
  decisions: "Decisions by rule and kind",
  appeals: "Appeals by outcome",
  members: "Members",
};
const MONTHS = Array.from({ length: 12 }, (_, i) => String(i + 1).padStart(2, "0"));

/** Columns: figure, the months, the year. `members` have their highest month as year. */
export function toCsv({ year, figures, medianDays }: Report): string {
  const head = ["figure", ...MONTHS.map((month) => `${year}-${month}`), String(year)];
  const lines = figures.map(({ figure, months, year: sum }) => [figure, ...months, sum]);
  const median = ["cases.median_days", ...MONTHS.map(() => ""), medianDays ?? ""];
  return [head, ...lines, median].map((cells) => `${cells.join(",")}\r\n`).join("");
}

/** A page without scripts and other files. */
export function toPage({ brand, year, figures, medianDays }: Report): string {
  const sections = Object.entries(GROUPS).map(([group, title]) => {
    const some = figures.filter(({ figure }) => figure.startsWith(`${group}.`));
    if (some.length === 0) return `<h2>${title}</h2><p>None.</p>`;
    const head = ["", ...MONTHS, String(year)].map((cell) => `<th scope="col">${cell}</th>`).join("");
    const body = some.map(({ figure, months, year: sum }) => {
      const name = figure
        .slice(group.length + 1)
        .replaceAll(".", ": ")
        .replaceAll("_", " ");
      const cells = [...months, sum].map((count) => `<td>${count}</td>`).join("");
      return `<tr><th scope="row">${escapeHtml(name)}</th>${cells}</tr>`;
    });
    return `<h2>${title}</h2><table><thead><tr>${head}</tr></thead><tbody>${body.join("")}</tbody></table>`;
  });
  const title = `${escapeHtml(brand)}: transparency report ${year}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title}</title>
<style>
body { font: 1rem/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid #bbb; padding: 0.3rem 0.6rem; text-align: right; }
th[scope="row"] { text-align: left; }
</style>
</head>
<body>
<h1>${title}</h1>
${sections.join("\n")}
<h2>Time to a decision</h2>
<p>Median: ${medianDays === null ? "no decision" : `${medianDays} days`}.</p>
</body>
</html>
`;
}
