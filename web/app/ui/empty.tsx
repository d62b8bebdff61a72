import type { ReactNode } from "react";
import { Logo } from "./logo.tsx";

const NICHE = "M12 96V48a36 36 0 0 1 72 0v48Z";

/** An empty place: one sentence, at most one action. */
export function Empty({ title, text, action }: { title: string; text?: string; action?: ReactNode }) {
  return (
    <div className="empty">
      <div className="empty__art">
        <svg viewBox="0 0 96 104" aria-hidden="true">
          <defs>
            <radialGradient id="nz" cx=".5" cy="1" r=".7">
              <stop className="art-stop1 art-stop1--niche" offset="0" />
              <stop className="art-stop2" offset="1" />
            </radialGradient>
          </defs>
          <path className="art-niche" d={NICHE} />
          <path d={NICHE} fill="url(#nz)" />
        </svg>
      </div>
      <h2>{title}</h2>
      {text && <p>{text}</p>}
      {action}
    </div>
  );
}

/** The empty detail pane beside a list; hidden on a phone. */
export function NothingSelected({ text }: { text?: string | undefined }) {
  return (
    <div className="empty only-wide">
      <div className="empty__art">
        <Logo />
      </div>
      {text && <p>{text}</p>}
    </div>
  );
}
