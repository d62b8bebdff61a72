import { Fragment, type ReactNode } from "react";
import { Icon } from "../app/ui/icon.tsx";
import type { Problem } from "./api.ts";
import { useTexts } from "./texts/use-texts.ts";

export function Note({ kind, children }: { kind?: "danger"; children: ReactNode }) {
  return (
    <div className={kind ? `note note--${kind}` : "note"} role={kind ? "alert" : "status"}>
      <Icon name={kind ? "alert" : "info"} />
      <span>{children}</span>
    </div>
  );
}

/** Shows an error that belongs to no field. */
export function ProblemNote({ problem }: { problem: Problem | null | undefined }) {
  const t = useTexts();
  if (!problem || Object.keys(problem.fields).length > 0) return null;
  return (
    <Note kind="danger">{problem.code === "offline" ? t("offline") : problem.message || t("failed")}</Note>
  );
}

export function Status({ status }: { status: "active" | "suspended" }) {
  const t = useTexts();
  return <span className={status === "active" ? "badge" : "badge badge--lamp"}>{t(`status_${status}`)}</span>;
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className="kv">
      {facts.map(([name, value]) => (
        <Fragment key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** A table whose rows become blocks on a phone. */
export function Table({ head, rows }: { head: readonly string[]; rows: readonly (readonly ReactNode[])[] }) {
  return (
    <div className="scroll">
      <table className="table table--stacked small">
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            // oxlint-disable-next-line react/no-array-index-key -- rows of a page that is loaded as a whole
            <tr key={row}>
              {cells.map((cell, at) => (
                <td key={head[at]} data-label={head[at] || undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The values of a text about years and months. */
export const planOf = ({ year, month }: { year: number; month: number }) => ({ year, month });

/** In the operator's time zone, to the minute. */
export function timeOf(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}
