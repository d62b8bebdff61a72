import { NoticeLine } from "../../layout/shell/notice-line.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

/** The heading of a setting, and the place of its notices. */
export function SettingHead({ title }: { title: string }) {
  return (
    <div className={screenHeadStyles.head}>
      <h1>{title}</h1>
      <NoticeLine />
    </div>
  );
}
