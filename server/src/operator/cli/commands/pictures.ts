import { writeFile } from "node:fs/promises";
import { caseRules } from "@alcove/contract/cases";
import { approvePicture, listPictures, removePicture, showPicture } from "../../pictures.ts";
import {
  type Group,
  noArguments,
  OperatorError,
  parseUuid,
  required,
  singleArgument,
  UsageError,
} from "../command-line.ts";

const USAGE =
  "pictures list takes no arguments, pictures show ID --to FILE, pictures approve ID, pictures remove ID --rule RULE --reason TEXT.";

const parseId = (words: readonly string[]): string => parseUuid(singleArgument(words, USAGE), USAGE);
const gone = (id: string): string => `There is no new picture ${id}.`;

export const pictures: Group = {
  list: {
    usage: "",
    summary: "new profile pictures, riskiest first",
    fields: {
      id: "for the other commands",
      on: "day of the upload",
      risk: "`near_banned` (resembles one of a suspended member), `reports`, `new` (account) or `usual`",
      waits: "whether others do not see it yet: `yes` or `no`",
    },
    parse: (words) => {
      noArguments(words, USAGE);
      return async (ctx, reason) =>
        (await listPictures(ctx, { operatorId: null, reason })).map(({ id, on, risk, isWaiting }) => ({
          id,
          on,
          risk,
          waits: isWaiting ? "yes" : "no",
        }));
    },
  },
  show: {
    usage: "ID --to FILE",
    summary: "writes a picture as others see it (JPEG) to a new file",
    options: { to: "a new file" },
    fields: { user_id: "the member", path: "the new file, readable by its owner only" },
    parse: (words, { to }) => {
      const id = parseId(words);
      if (!to) throw new UsageError(USAGE);
      return async (ctx, reason) => {
        const { userId, jpeg } = required(await showPicture(ctx, { operatorId: null, reason }, id), gone(id));
        await writeFile(to, jpeg, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
          throw new OperatorError(`${to} cannot be written: ${error.message}`);
        });
        return { user_id: userId, path: to };
      };
    },
  },
  approve: {
    usage: "ID",
    summary: "takes a picture off the list; others see it from now on",
    fields: { id: "the picture" },
    parse: (words) => {
      const id = parseId(words);
      return async (ctx, reason) => {
        required((await approvePicture(ctx, { operatorId: null, reason }, id)) || null, gone(id));
        return { id };
      };
    },
  },
  remove: {
    usage: "ID --rule RULE --reason TEXT",
    summary: "removes a picture from the profile; the member reads the rule",
    options: { rule: caseRules.join(", ") },
    fields: { id: "the picture" },
    parse: (words, { rule: named }) => {
      const id = parseId(words);
      const rule = caseRules.find((one) => one === named);
      if (!rule) throw new UsageError(USAGE);
      return async (ctx, reason) => {
        if (reason === null) throw new UsageError(USAGE);
        const by = { operatorId: null, reason };
        required((await removePicture(ctx, by, { id, rule, reason })) || null, gone(id));
        return { id };
      };
    },
  },
};
