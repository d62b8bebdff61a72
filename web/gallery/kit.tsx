import { useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { Button, IconButton } from "../app/ui/button.tsx";
import { Sheet } from "../app/ui/dialog.tsx";
import { Empty } from "../app/ui/empty.tsx";
import { GoogleButton } from "../app/ui/google-button.tsx";
import { Icon, iconNames } from "../app/ui/icon.tsx";
import { Spinner } from "../app/ui/loading.tsx";
import { Logo } from "../app/ui/logo.tsx";
import { MoreMenu } from "../app/ui/menu.tsx";
import { Avatar } from "../app/ui/people.tsx";
import { SheetButtons } from "../app/ui/sheet-buttons.tsx";
import { PinOffSign, State } from "../app/ui/state.tsx";
import { Steps } from "../app/ui/wizard/steps.tsx";
import { Fields } from "./fields.tsx";
import styles from "./gallery.module.css";

const PORTRAIT = "/apple-touch-icon.png";
const nothing = () => undefined;

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** All parts of `app/ui` in their states, with texts of the app. */
export function Kit() {
  return (
    <>
      <Part title="Button">
        <Buttons />
      </Part>
      <Part title="Form">
        <Fields />
      </Part>
      <Part title="Steps">
        <Wizard />
      </Part>
      <Part title="Dialog, menu">
        <Layers />
      </Part>
      <Part title="State, empty">
        <States />
      </Part>
      <Part title="Logo, avatar, icons">
        <div className={styles.row}>
          <div className={styles.logo}>
            <Logo />
          </div>
          <Avatar src={PORTRAIT} size="sm" />
          <Avatar src={PORTRAIT} />
          <Avatar src={PORTRAIT} size="lg" />
          <Spinner />
        </div>
        <div className={styles.row}>
          {iconNames().map((name) => (
            <span key={name} title={name}>
              <Icon name={name} />
            </span>
          ))}
        </div>
      </Part>
    </>
  );
}

function Buttons() {
  const t = useTranslations();
  return (
    <>
      <div className={styles.row}>
        <Button>{t("settings.save")}</Button>
        <Button kind="lamp">{t("home.like")}</Button>
        <Button kind="quiet">{t("home.pass")}</Button>
        <Button kind="ghost">{t("upgrade.notNow")}</Button>
        <Button kind="danger">{t("deleteAccount.delete")}</Button>
        <Button small>{t("settings.unblock")}</Button>
      </div>
      <div className={styles.row}>
        <Button busy>{t("settings.save")}</Button>
        <Button kind="quiet" busy>
          {t("codes.another")}
        </Button>
        <Button disabled>{t("codes.send")}</Button>
        <GoogleButton onClick={nothing}>{t("login.withGoogle")}</GoogleButton>
        <IconButton icon="filter" label={t("home.filter")} look="solid" />
        <IconButton icon="close" label={t("ui.close")} />
      </div>
      <Button block>{t("signUp.create")}</Button>
    </>
  );
}

function Wizard() {
  const t = useTranslations();
  const labels = [t("codes.stepEmail"), t("codes.stepCode"), t("signUp.stepProfile")];
  return (
    <>
      <Steps label={t("codes.progress")} labels={labels} current={1} />
      <Steps label={t("codes.progress")} labels={labels} current={2} pages={{ current: 1, total: 4 }} />
    </>
  );
}

function Layers() {
  const t = useTranslations();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles.row}>
      <Button kind="quiet" onClick={() => setOpen(true)}>
        {t("settings.logout")}
      </Button>
      <Sheet isOpen={isOpen} onClose={() => setOpen(false)} title={t("settings.confirmLogout")} closeButton>
        <p>{t("settings.logoutText")}</p>
        <SheetButtons
          isBusy={false}
          onConfirm={() => setOpen(false)}
          confirm={t("settings.logout")}
          cancel={t("settings.stay")}
          onCancel={() => setOpen(false)}
          isDanger
        />
      </Sheet>
      <MoreMenu
        label={t("home.more")}
        entries={[
          { icon: "flag", label: t("safety.report"), onChoose: nothing },
          {
            icon: "block",
            label: t("safety.block"),
            hint: t("safety.blockHint"),
            isDanger: true,
            onChoose: nothing,
          },
        ]}
      />
    </div>
  );
}

function States() {
  const t = useTranslations();
  return (
    <div className={styles.states}>
      <State title={t("home.empty_card_used")} light={0.7}>
        <p>{t("home.empty_card_used_text")}</p>
      </State>
      <State title={t("location.off")} sign={<PinOffSign />}>
        <p>{t("location.request")}</p>
      </State>
      <Empty
        title={t("messages.empty")}
        text={t("messages.emptyText")}
        action={<Button kind="quiet">{t("messages.seeCard")}</Button>}
      />
    </div>
  );
}
