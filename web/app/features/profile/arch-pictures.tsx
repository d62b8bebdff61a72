import { useId, useState, type KeyboardEvent, type ReactNode, type Ref } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { PublicUser } from "@alcove/contract/users";
import { classNames } from "../../ui/class-names.ts";
import { CARD_SIZES, Picture } from "../../ui/picture.tsx";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./arch-pictures.module.css";

interface ArchPicturesProps {
  ref?: Ref<HTMLElement>;
  person: Pick<PublicUser, "username" | "icon" | "pictures">;
  /** The name of the link or button. Without both the arch opens nothing. */
  label?: string;
  to?: string;
  onOpen?: (at: number) => void;
}

/** The pictures of a person in the arch. Its sides and the arrow keys turn them, its middle opens more. */
export function ArchPictures({ ref, person, label, to, onOpen }: ArchPicturesProps) {
  const t = useTranslations("profile");
  const count = useId();
  const pictures = [person.icon, ...person.pictures.slice(1)];
  const total = pictures.length;
  const [at, setAt] = useState(0);
  const shown = Math.min(at, total - 1);
  const turn = (by: number) => setAt((shown + by + total) % total);
  const control = {
    className: styles.open,
    "aria-label": label,
    ...(total > 1 && { "aria-describedby": count, onKeyDown: handleKey }),
  };

  function handleKey(event: KeyboardEvent): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation(); // elsewhere the arrow keys decide
    turn(by);
  }

  return (
    <span ref={ref} className={portraitStyles.portrait}>
      {pictures.map((picture, n) => (
        <Picture
          key={picture}
          className={classNames(styles.picture, n === shown && styles.shown)}
          src={picture}
          alt={n === shown ? person.username : ""}
          loading={n === 0 ? undefined : "lazy"}
          sizes={CARD_SIZES}
          width="600"
          height="600"
          draggable={false}
        />
      ))}
      {to !== undefined && <Link {...control} to={to} draggable={false} />}
      {onOpen && <button type="button" {...control} onClick={() => onOpen(shown)} />}
      {total > 1 && (
        <Turns shown={shown} total={total} canTab={label === undefined} onTurn={turn} onKeyDown={handleKey}>
          <span id={count} className="vh" role="status">
            {t("pictureOf", { place: String(shown + 1), total: String(total) })}
          </span>
        </Turns>
      )}
    </span>
  );
}

interface TurnsProps {
  shown: number;
  total: number;
  /** Without a link whose arrow keys turn. */
  canTab: boolean;
  onTurn: (by: number) => void;
  onKeyDown: (event: KeyboardEvent) => void;
  children: ReactNode;
}

function Turns({ shown, total, canTab, onTurn, onKeyDown, children }: TurnsProps) {
  const t = useTranslations("profile");
  return (
    <>
      <button
        type="button"
        className={styles.side}
        aria-label={t("previousPicture")}
        tabIndex={canTab ? undefined : -1}
        onKeyDown={onKeyDown}
        onClick={() => onTurn(-1)}
      />
      <button
        type="button"
        className={classNames(styles.side, styles.after)}
        aria-label={t("nextPicture")}
        tabIndex={canTab ? undefined : -1}
        onKeyDown={onKeyDown}
        onClick={() => onTurn(1)}
      />
      <span className={styles.segments} aria-hidden="true">
        {Array.from({ length: total }, (_, n) => (
          // oxlint-disable-next-line react/no-array-index-key -- a segment is its place
          <i key={n} className={n === shown ? styles.now : undefined} />
        ))}
      </span>
      {children}
    </>
  );
}
