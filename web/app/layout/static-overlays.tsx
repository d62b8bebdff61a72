import { useId, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button, IconButton } from "../ui/button.tsx";
import { Plain } from "./plain/plain.tsx";
import { Notes, VARIANT_KEYS } from "./privacy-screen/notes.tsx";
import { PullMark } from "./pull-to-reload.tsx";
import { BannerCard } from "./shell/banners.tsx";
import { LanguageList } from "./shell/language-chooser.tsx";
import { STATIC_TEXTS_ID, type StaticTexts } from "../lib/first-paint/static-texts.ts";

/** The parts of a static page that its script (`static-page/start.ts`) shows and fills in. */
export function StaticOverlays() {
  const t = useTranslations("shell");
  const privacy = useTranslations("privacy");
  return (
    <>
      <StaticSheet id="languages" title={t("language")} hasClose>
        <LanguageList />
      </StaticSheet>
      <StaticSheet id="idle-warning" title={privacy("idleWarning")}>
        <p className="muted">{privacy("idleWarningText")}</p>
        <div className="sheet__actions">
          <Button data-closes="">{privacy("stay")}</Button>
        </div>
      </StaticSheet>
      <template id="cover">
        <Plain>
          <Notes />
        </Plain>
      </template>
      <template id="banner-alert">
        <BannerCard tone="alert" text="" />
      </template>
      <template id="banner-notify">
        <BannerCard tone="notify" text="" />
      </template>
      <template id="pull">
        <PullMark />
      </template>
      <Texts />
    </>
  );
}

function Texts() {
  const notes = useTranslations("privacyScreen");
  const errors = useTranslations("errors");
  const texts: StaticTexts = {
    coverTitle: notes("title"),
    notes: VARIANT_KEYS.map((key) => notes(key)),
    banners: {
      "errorScreen.offline": useTranslations("errorScreen")("offline"),
      "errors.fault": errors("fault"),
      "errors.login_required": errors("login_required"),
      "fields.bot_check_failed": useTranslations("fields")("bot_check_failed"),
    },
  };
  const json = JSON.stringify(texts).replaceAll("<", String.raw`\u003c`);
  return <script id={STATIC_TEXTS_ID} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />;
}

interface StaticSheetProps {
  id: string;
  title: string;
  hasClose?: boolean;
  children: ReactNode;
}

/** The look of `Sheet`, as the browser's own dialog. */
function StaticSheet({ id, title, hasClose = false, children }: StaticSheetProps) {
  const titleId = useId();
  const t = useTranslations("ui");
  const heading = <h2 id={titleId}>{title}</h2>;
  return (
    <dialog className="scrim" id={id} aria-labelledby={titleId}>
      <div className="sheet">
        {hasClose ? (
          <div className="sheet__head">
            {heading}
            <IconButton icon="close" label={t("close")} data-closes="" />
          </div>
        ) : (
          heading
        )}
        {children}
      </div>
    </dialog>
  );
}
