import type pg from "pg";
import { KEYS } from "./distribution.ts";
import type { RecordedStatement } from "./statements.ts";

interface Plan {
  readonly "Node Type": string;
  readonly Operation?: string;
  readonly "Relation Name"?: string;
  readonly Alias?: string;
  readonly "Index Cond"?: string;
  readonly Plans?: readonly Plan[];
  readonly [detail: string]: unknown;
}

interface Scan {
  readonly table: string;
  readonly alias: string;
  readonly isByIndex: boolean;
}

/** Explains the plan for any values. Small tables are read by index too, if there is one. */
async function explain(client: pg.Client, { text, values }: RecordedStatement): Promise<Plan> {
  await client.query("set enable_seqscan = off");
  await client.query("set plan_cache_mode = force_generic_plan");
  await client.query(`prepare explained as ${text}`);
  try {
    const nulls = values.map(() => "null").join(", ");
    const call = values.length > 0 ? `explained(${nulls})` : "explained";
    const { rows } = await client.query(`explain (verbose, format json) execute ${call}`);
    return (rows as [{ "QUERY PLAN": [{ Plan: Plan }] }])[0]["QUERY PLAN"][0].Plan;
  } finally {
    await client.query("deallocate explained");
  }
}

/** Finds breaks of the rules of docs/cluster.md for frequent statements. */
export async function findFlaws(client: pg.Client, statement: RecordedStatement): Promise<string[]> {
  const plan = await explain(client, statement);
  const nodes = allNodes(plan);
  const scans = nodes.flatMap(scanOf);
  const keys = new Map(
    partsOf(plan).flatMap((part) => Array.from(keysOf(part.flatMap(scanOf), part, statement.values))),
  );
  const spread = scans.filter(({ table }) => KEYS[table]?.key);
  const locks = nodes.some((node) => node["Node Type"] === "LockRows");
  const changes = nodes.filter((node) => node["Node Type"] === "ModifyTable");

  const flaws = scans
    .filter(({ table, isByIndex }) => KEYS[table] !== null && !isByIndex)
    .map(({ table }) => `reads all of ${table}`);
  for (const { table, alias } of spread) {
    const { values } = keys.get(alias)!;
    if (values === null) flaws.push(`asks every shard of ${table}`);
    else if (values.length > 1) flaws.push(`asks several shards of ${table}${locks ? " for a lock" : ""}`);
  }
  // Citus takes the sum of a time and an interval for a volatile function.
  if (/\bon conflict\b.*\binterval\b/is.test(statement.text))
    flaws.push("computes with an interval in an upsert");
  const written = changes.map((node) => node["Relation Name"]!).toSorted();
  if (written.length > 1) flaws.push(`writes into ${written.join(" and ")}`);
  const tables = new Set([
    ...spread.map(({ table }) => table),
    ...written.filter((table) => KEYS[table]?.key),
  ]);
  if (new Set([...tables].map((table) => KEYS[table]!.group)).size > 1)
    flaws.push(`joins groups: ${[...tables].toSorted().join(", ")}`);
  else if (new Set(spread.map(({ alias }) => keys.get(alias)!.name)).size > 1)
    flaws.push(`joins by another column than the key: ${[...tables].toSorted().join(", ")}`);
  return [...new Set(flaws)];
}

const allNodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(allNodes)];

const isSubPlan = (plan: Plan) => plan["Parent Relationship"] === "SubPlan";

/**
 * Splits a plan into its nodes without subplans, and those of each subplan. Citus knows the shard of a correlated subquery
 * only by the subquery's own conditions.
 */
function partsOf(plan: Plan): Plan[][] {
  const nodesOf = (part: Plan): Plan[] =>
    [part].concat((part.Plans ?? []).filter((inner) => !isSubPlan(inner)).flatMap(nodesOf));
  return [nodesOf(plan)].concat(allNodes(plan).filter(isSubPlan).map(nodesOf));
}

function scanOf(node: Plan): Scan[] {
  const { "Relation Name": table, Alias: alias, Plans: plans = [] } = node;
  if (table === undefined || alias === undefined || node["Node Type"] === "ModifyTable") return [];
  const isByIndex = [node, ...plans.flatMap(allNodes)].some((part) => part["Index Cond"] !== undefined);
  return [{ table, alias, isByIndex }];
}

interface Key {
  /** Null unless the statement names the key's values. */
  readonly values: readonly string[] | null;
  /** Equal for equal values. */
  readonly name: string;
}

const EQUALITY = /\(?(\w+\.\w+)\)?(?:::\w+)? = (?:(ANY) )?\(*(\$\d+|\w+\.\w+)(?![\w.(])/g;

/** The equalities of the whole plan give the keys. */
function keysOf(
  scans: readonly Scan[],
  nodes: readonly Plan[],
  values: readonly unknown[],
): Map<string, Key> {
  const conditions = nodes.flatMap((node) =>
    Object.entries(node).flatMap(([name, text]) =>
      /Cond$|Filter$/.test(name) && typeof text === "string" ? [text.replaceAll('"', "")] : [],
    ),
  );
  const equalities = conditions.flatMap((text) => Array.from(text.matchAll(EQUALITY)));
  const equalTo = (column: string, known = new Set([column])): Set<string> => {
    for (const [, one = "", any, other = ""] of equalities) {
      const next = one === column ? other : any === undefined && other === column ? one : null;
      if (next === null || known.has(next)) continue;
      known.add(next);
      if (!next.startsWith("$")) equalTo(next, known);
    }
    return known;
  };
  const keyOf = ({ table, alias }: Scan): Key => {
    const equal = equalTo(`${alias}.${KEYS[table]?.key}`);
    const parameter = [...equal].find((term) => term.startsWith("$"));
    if (parameter === undefined) return { values: null, name: [...equal].toSorted().join() };
    const keyValues = elementsOf(values[Number(parameter.slice(1)) - 1]);
    return { values: keyValues, name: keyValues.join() };
  };
  return new Map(scans.map((scan) => [scan.alias, keyOf(scan)]));
}

function elementsOf(value: unknown): string[] {
  if (Buffer.isBuffer(value)) return [value.toString("hex")];
  if (Array.isArray(value)) return value.flatMap(elementsOf);
  const text = String(value);
  return text.startsWith("{") ? text.slice(1, -1).split(",") : [text];
}
