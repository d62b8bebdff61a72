import { LoadingStatus } from "../../ui/loading.tsx";

export function CardSkeleton() {
  return (
    <div className="stage">
      <LoadingStatus />
      <div className="candidate" aria-hidden="true">
        <div className="portrait skel" />
        <div className="candidate__body">
          <div className="skel skel--name" />
          <div className="skel skel--line" />
          <div className="skel skel--line skel--short" />
          <div className="skel skel--table" />
        </div>
      </div>
    </div>
  );
}
