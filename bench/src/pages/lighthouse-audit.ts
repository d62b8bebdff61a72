import lighthouse from "lighthouse";

export const CATEGORIES = ["performance", "accessibility", "best-practices", "seo"] as const;
export type Category = (typeof CATEGORIES)[number];

export interface Audited {
  /** From 0 to 100. */
  readonly scores: Readonly<Record<Category, number>>;
  /** The ids of failed audits that count, except those of performance. */
  readonly failed: readonly string[];
}

/** On a busy machine the trace may lack the start of the page. */
const LOST_START = "NO_NAVSTART";
const ATTEMPTS = 4;

/** Audits a page by Lighthouse's mobile preset, in the browser that listens at the port. */
export async function auditPage(url: string, port: number): Promise<Audited> {
  for (let attempt = 1; ; attempt++) {
    const result = await lighthouse(url, { port, logLevel: "silent", onlyCategories: [...CATEGORIES] });
    if (!result) throw new Error(`Lighthouse returned nothing for ${url}`);
    const { runtimeError, categories, audits } = result.lhr;
    if (runtimeError?.code === LOST_START && attempt < ATTEMPTS) continue;
    if (runtimeError) throw new Error(`${url}: ${runtimeError.code}, ${runtimeError.message}`);
    const scoreOf = (id: Category) => Math.round((categories[id]?.score ?? 0) * 100);
    const failed = CATEGORIES.filter((id) => id !== "performance").flatMap((id) =>
      (categories[id]?.auditRefs ?? [])
        .filter(({ id: audit, weight }) => weight > 0 && (audits[audit]?.score ?? 1) < 1)
        .map(({ id: audit }) => audit),
    );
    return {
      scores: {
        performance: scoreOf("performance"),
        accessibility: scoreOf("accessibility"),
        "best-practices": scoreOf("best-practices"),
        seo: scoreOf("seo"),
      },
      failed,
    };
  }
}
