import { LoadingStatus } from "../../ui/loading.tsx";

/** The shapes of a card. */
export function CardSkeleton() {
  return (
    <>
      <LoadingStatus />
      <div className="candidate" aria-hidden="true">
        <div className="portrait skel" />
        <div className="candidate__body">
          <div className="skel skel--name" />
          <div className="skel skel--line" />
          <div className="skel skel--line skel--short" />
          <div className="skel skel--row" />
          <div className="skel skel--row" />
        </div>
      </div>
    </>
  );
}
