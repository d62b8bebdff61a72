import * as calls from "@alcove/contract/mailboxes";
import { type App, route, routePublic } from "../platform/http/router.ts";
import { askForNewEmail, handleNewEmailRequest } from "./ask-new-email.ts";
import { changeEmail, readOwnEmail, requestCode } from "./email-changes.ts";
import { exportMailboxes } from "./export.ts";
import { confirmNewEmail } from "./hand-over.ts";
import { followRequests, stopOwnRequest } from "./requests.ts";
import { deleteRequestsOf } from "./requests.sql.ts";
import { chooseEmail, deleteChanges, sweepChanges, undo } from "./stops.ts";

export function registerMailboxes(app: App): void {
  const { ctx } = app;
  route(app, calls.getEmail, ({ me }) => readOwnEmail(ctx, me));
  route(app, calls.requestEmailCode, ({ me, input, lang, ...client }) =>
    requestCode(ctx, me, input, lang, client),
  );
  route(app, calls.changeEmail, ({ me, input, ...from }) => changeEmail(ctx, me, input, from));
  route(app, calls.chooseEmail, ({ me, input }) => chooseEmail(ctx, me, input));
  route(app, calls.stopNewEmail, ({ me }) => stopOwnRequest(ctx, me));
  routePublic(app, calls.undoEmail, ({ input, ip }) => undo(ctx, input.token, ip));
  routePublic(app, calls.askNewEmail, ({ input, ...from }) => askForNewEmail(ctx, input, from));
  routePublic(app, calls.confirmNewEmail, ({ input, ...from }) => confirmNewEmail(ctx, input.token, from));

  ctx.domainEvents.on("member_deleted", async (tx, member) => {
    await deleteChanges(tx, ctx, member);
    await deleteRequestsOf(tx, member.memberId);
  });
  ctx.personalDataExports.add((tx, me) => exportMailboxes(tx, ctx, me));
  ctx.jobs.handle("new_email_request", (job) => handleNewEmailRequest(ctx, job));
  ctx.jobs.handle("sweep_email_changes", () => sweepChanges(ctx));
  ctx.jobs.handle("follow_mailbox_requests", () => followRequests(ctx));
}
