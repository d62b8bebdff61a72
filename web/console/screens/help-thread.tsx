import {
  Form,
  redirect,
  useActionData,
  useLoaderData,
  useNavigation,
  type ActionFunctionArgs,
} from "react-router";
import { answerHelp, closeHelp, openHelp } from "@alcove/contract/console-help";
import type { HelpMessage } from "@alcove/contract/help";
import { Button } from "../../app/ui/button.tsx";
import { classNames } from "../../app/ui/class-names.ts";
import { TextArea } from "../../app/ui/forms/field.tsx";
import cardStyles from "../../app/ui/styles/card.module.css";
import { api, attempt, formInput, pathLanguage } from "../api.ts";
import { Heading } from "../frame.tsx";
import { Note, ProblemNote, timeOf } from "../parts.tsx";
import { useTexts } from "../texts/use-texts.ts";
import consoleStyles from "../console.module.css";

export const loadThread = ({ params }: { params: { id?: string } }) => api(openHelp, { id: params.id ?? "" });

export async function replyToThread({ request }: ActionFunctionArgs) {
  const data = await request.formData();
  const call = data.get("intent") === "close" ? closeHelp : answerHelp;
  const { problem } = await attempt(() => api(call, formInput<typeof answerHelp>(data)));
  return problem ? { problem } : redirect(`/${pathLanguage()}/help`);
}

export function ThreadScreen() {
  const t = useTexts();
  const { id, user_id: userId, messages } = useLoaderData<typeof loadThread>();
  return (
    <>
      <Heading hasUserId>{t("threadOf", { userId })}</Heading>
      <div className={classNames(consoleStyles.columns, consoleStyles.case)}>
        <ol className="stack">
          {messages.map((message) => (
            <Message key={message.id} {...message} />
          ))}
        </ol>
        <AnswerForm id={id} />
      </div>
    </>
  );
}

function Message({ from, text, created_at: at }: HelpMessage) {
  const t = useTexts();
  return (
    <li className={classNames(cardStyles.card, "stack-sm")}>
      <h2>{t(from === "me" ? "fromMember" : "fromUs")}</h2>
      <p className={consoleStyles.quote}>{text}</p>
      <p className="hint num">{timeOf(at)}</p>
    </li>
  );
}

function AnswerForm({ id }: { id: string }) {
  const t = useTexts();
  const problem = useActionData<typeof replyToThread>()?.problem;
  const isSaving = useNavigation().state === "submitting";
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <h2>{t("answer")}</h2>
      {problem?.code === "conflict" ? (
        <Note kind="danger">{t("newerMessage")}</Note>
      ) : (
        <ProblemNote problem={problem} />
      )}
      <Form method="post" className="stack" noValidate>
        <input type="hidden" name="id" value={id} />
        <TextArea
          label={t("answer")}
          name="text"
          rows={6}
          hint={t("answerHint")}
          error={problem?.fields["text"]}
        />
        <Button type="submit" block busy={isSaving}>
          {t("sendAnswer")}
        </Button>
      </Form>
      <Form method="post">
        <input type="hidden" name="id" value={id} />
        <Button type="submit" name="intent" value="close" kind="ghost" block>
          {t("closeHelp")}
        </Button>
      </Form>
    </section>
  );
}
