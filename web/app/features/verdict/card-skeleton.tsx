import { LoadingStatus } from "../../ui/loading.tsx";
import { classNames } from "../../ui/class-names.ts";
import candidateStyles from "./candidate.module.css";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./card-skeleton.module.css";

/** The shapes of a card. */
export function CardSkeleton() {
  return (
    <>
      <LoadingStatus />
      <div className={candidateStyles.candidate} aria-hidden="true">
        <div className={classNames(portraitStyles.portrait, styles.skel)} />
        <div className={candidateStyles.body}>
          <div className={classNames(styles.skel, styles.name)} />
          <div className={classNames(styles.skel, styles.line)} />
          <div className={classNames(styles.skel, styles.line, styles.short)} />
          <div className={classNames(styles.skel, styles.row)} />
          <div className={classNames(styles.skel, styles.row)} />
        </div>
      </div>
    </>
  );
}
