import type { Page } from "@playwright/test";
import type { FakePayPal } from "@alcove/test-services/paypal";
import type { Mailbox } from "@alcove/test-services/mail";
import type { Visitor } from "../fixtures/visitor.ts";
import type { Settled } from "./member.ts";

export interface Stage extends Settled {
  readonly visitor: Visitor;
  readonly mailbox: Mailbox;
  readonly paypal: FakePayPal;
  readonly serverUrl: string;
  readonly theme: "light" | "dark";
  /** Runs the operator's command line on the data of the server, and returns its output. */
  runOperator(...args: string[]): Promise<string>;
  readonly consoleUrl: string;
  /** Saves a picture of the present screen, or of another page. */
  shoot(name: string, page?: Page): Promise<void>;
}

export interface Story {
  readonly name: string;
  /** The picture on which its screens stand. */
  readonly sheet: string;
  /** Shown in every view, the others in two. */
  readonly isMain?: boolean;
  tell(stage: Stage): Promise<void>;
}

export const button = ({ page }: Visitor, name: string) => page.getByRole("button", { name }).first();
