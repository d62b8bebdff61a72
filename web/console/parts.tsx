import { Fragment, type ReactNode } from "react";
import { Link } from "react-router";
import { buttonClass } from "../app/ui/button.tsx";
import { Icon } from "../app/ui/icon.tsx";
import type { Problem } from "./api.ts";
import { useTexts } from "./texts/use-texts.ts";
import { classNames } from "../app/ui/class-names.ts";
import listStyles from "../app/ui/styles/list.module.css";
import noteStyles from "../app/ui/styles/note.module.css";
import badgeStyles from "../app/ui/styles/badge.module.css";
import keyValuesStyles from "../app/ui/styles/key-values.module.css";
import tableStyles from "../app/ui/styles/table.module.css";
import styles from "./console.module.css";

export function Note({ kind, children }: { kind?: "danger"; children: ReactNode }) {
  return (
    <div
      className={classNames(noteStyles.note, Boolean(kind) && noteStyles.danger)}
      role={kind ? "alert" : "status"}
    >
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

export function Status({ status }: { status: "active" | "suspended" | "deleted" }) {
  const t = useTexts();
  return (
    <span className={classNames(badgeStyles.badge, status !== "active" && badgeStyles.lamp)}>
      {t(`status_${status}`)}
    </span>
  );
}

export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={keyValuesStyles.keyValues}>
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
    <div className={styles.scroll}>
      <table className={classNames(tableStyles.table, styles.stacked, "small")}>
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

const PAYMENT_STATES = [
  "created",
  "capturing",
  "declined",
  "pending",
  "completed",
  "partly_refunded",
  "refunded",
  "unclear",
  "sending",
  "accepted",
  "paid",
  "failed",
  "returned",
] as const;

/** The state of an order or a transfer in words. */
export function usePaymentState(): (state: string) => string {
  const t = useTexts();
  return (state) => {
    const known = PAYMENT_STATES.find((one) => one === state);
    return known ? t(`payment_${known}`) : state;
  };
}

/** A day as the server sends it, `YYYY-MM-DD`. */
export const dayOf = (day: string): string => day.slice(0, 10).replaceAll("-", "/");

/** In the operator's time zone, to the minute. */
export function timeOf(iso: string): string {
  const at = new Date(iso);
  const two = (value: number) => String(value).padStart(2, "0");
  const day = `${at.getFullYear()}/${two(at.getMonth() + 1)}/${two(at.getDate())}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** A row of a queue, with the link that opens it. `about` names the link for screen readers. */
export function QueueRow(props: { id: string; action: string; about: string; children: ReactNode }) {
  const { id, action, about, children } = props;
  return (
    <li className={classNames(listStyles.row, styles.queueRow)}>
      <span>{children}</span>
      <Link
        className={buttonClass({ kind: "quiet", small: true })}
        to={id}
        aria-label={`${action}: ${about}`}
      >
        {action}
      </Link>
    </li>
  );
}
