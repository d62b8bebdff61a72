import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { logOperatorAction } from "../../../accounts/index.ts";
import { countFigures, readYear, toCsv, toPage } from "../../../transparency/index.ts";
import { type Group, noArguments, OperatorError, UsageError } from "../command-line.ts";

const USAGE = "transparency needs --year, such as 2027, and takes --to FOLDER.";

async function write(path: string, content: string): Promise<void> {
  await writeFile(path, content, { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === "EEXIST" ? `${path} already exists.` : `${path} cannot be written: ${error.message}`,
    );
  });
}

export const transparency: Group = {
  "": {
    usage: "--year 2027 [--to FOLDER]",
    summary: "writes the figures of a transparency report as CSV and page",
    options: { year: "the year of the report", to: "an existing folder; by default the present one" },
    fields: {
      csv: "the file with the figures",
      page: "the file with the page",
      median_days: "median of days from a report or notice to the decision",
    },
    parse: (words, { year: typed, to = "." }) => {
      noArguments(words, USAGE);
      if (!/^20\d\d$/.test(typed ?? "")) throw new UsageError(USAGE);
      const year = Number(typed);
      return async (ctx, reason) => {
        await logOperatorAction(ctx, `transparency ${year}`, null, reason);
        await countFigures(ctx);
        const report = { brand: ctx.config.brandName, year, ...(await readYear(ctx, year)) };
        const [csv, page] = [".csv", ".html"].map((end) => join(to, `transparency-${year}${end}`)) as [
          string,
          string,
        ];
        await write(csv, toCsv(report));
        await write(page, toPage(report));
        const { medianDays } = report;
        return { csv, page, median_days: medianDays === null ? null : String(medianDays) };
      };
    },
  },
};
