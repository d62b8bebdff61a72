import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { focusFirstInvalid } from "../../lib/forms/shown-errors.ts";
import { focusHeading } from "../../lib/page/focus-heading.ts";
import { type Draft, draft, PAGES, type Page, type Step } from "./draft.ts";

interface StepState {
  readonly step?: Step;
  /** The entry before it belongs to the sign-up too. */
  readonly hasPrevious?: boolean;
}

const ORDER: readonly Step[] = ["email", "code", ...PAGES];

export const isPage = (step: Step): step is Page => (PAGES as readonly Step[]).includes(step);

/** The step is part of the history, so that the back button of a phone leads to the page before. */
export function useStep(stored: Draft, hasProof: boolean) {
  const location = useLocation();
  const navigate = useNavigate();
  const state = location.state as StepState | null;
  const wanted = state?.step ?? stored.step;
  const isReachable = isPage(wanted) ? hasProof : wanted === "email" || stored.sentAt !== null;
  const step = isReachable ? wanted : isPage(wanted) && stored.sentAt !== null ? "code" : "email";

  const shown = useRef(step);
  useEffect(() => {
    if (shown.current !== step) {
      focusHeading();
      // A page may open because of its errors.
      focusFirstInvalid(document.querySelector("main form")!);
    }
    shown.current = step;
  }, [step]);

  const open = async (to: Step, options: { replace: boolean }) => {
    const here = { search: location.search };
    // Going back to the first entry must not lead to a later step.
    if (!options.replace && state?.step === undefined)
      await navigate(here, { replace: true, state: { step } });
    const hasPrevious = options.replace ? state?.hasPrevious === true : true;
    await navigate(here, { ...options, state: { step: to, hasPrevious } });
    // Last: the location renders later than the draft. An earlier change would show the step, hide it, and show it anew.
    draft.update({ step: to });
  };
  return {
    step,
    goTo: (to: Step) => void open(to, { replace: false }),
    /** Forgets the entries of a step that is over. */
    replaceBy: (to: Step) => void open(to, { replace: true }),
    goBack() {
      const previous = ORDER[ORDER.indexOf(step) - 1] ?? "email";
      if (state?.hasPrevious) void navigate(-1);
      else void open(previous, { replace: true });
    },
  };
}
