import { banner } from "../page/banner.ts";

/** The alerts of one form. They show one after the other; that of a corrected field leaves the queue. */
export class FormAlerts {
  #alerts: { field: string | null; remove: () => void }[] = [];

  add(field: string | null, show: () => void): void {
    this.#alerts.push({ field, remove: banner.removable(show) });
  }

  removeOf(field: string): void {
    for (const alert of this.#alerts) if (alert.field === field) alert.remove();
    this.#alerts = this.#alerts.filter((alert) => alert.field !== field);
  }

  clear(): void {
    for (const { remove } of this.#alerts) remove();
    this.#alerts = [];
  }
}
