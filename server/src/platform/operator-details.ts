import type { Language } from "@alcove/i18n";
import type { Config } from "../config.ts";
import { translator } from "./i18n.ts";

export interface OperatorDetails {
  readonly name: string;
  readonly address: string;
  readonly phone: string;
  readonly email: string;
  readonly register: string | null;
  readonly taxId: string | null;
  /** In the EU or the UK. */
  readonly representative: string | null;
}

type OperatorConfig = Pick<Config, "operator" | "supportEmail" | "isLoopback" | "trustProxy">;

/** In place of a missing name, address or phone number, a sentence stands; on loopback it is an example. */
export function operatorDetails(config: OperatorConfig, language: Language): OperatorDetails {
  const t = translator(language, "operator");
  const { operator, supportEmail } = config;
  const example = isExposed(config) ? null : t("example");
  const stated = (value: string | null) => value ?? example ?? t("missing");
  return {
    ...operator,
    name: stated(operator.name),
    address: stated(operator.address),
    phone: stated(operator.phone),
    email: supportEmail,
  };
}

/** Returns the variables that a reachable server lacks. */
export function findMissingOperatorData(config: OperatorConfig): string[] {
  const { name, address, phone } = config.operator;
  const needed = { OPERATOR_NAME: name, OPERATOR_ADDRESS: address, OPERATOR_PHONE: phone };
  if (!isExposed(config)) return [];
  return Object.entries(needed).flatMap(([variable, value]) => (value === null ? [variable] : []));
}

export function isExposed({ isLoopback, trustProxy }: Pick<Config, "isLoopback" | "trustProxy">): boolean {
  return !isLoopback || trustProxy;
}
