import { Component, type ReactNode } from "react";

interface LoadBoundaryProps {
  /** Shown if the code of the children cannot be loaded. */
  instead: ReactNode;
  children: ReactNode;
}

export class LoadBoundary extends Component<LoadBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.instead : this.props.children;
  }
}
