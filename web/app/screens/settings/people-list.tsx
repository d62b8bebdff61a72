import { type ComponentType, type ReactNode, useRef } from "react";
import { useRevalidator } from "react-router";
import type { Party } from "@alcove/contract/users";
import { Empty } from "../../ui/empty.tsx";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";
import listStyles from "../../ui/styles/list.module.css";

export interface RowProps<Person extends Party> {
  person: Person;
  /** Follows the call that took the person off the list. */
  onRemoved: () => Promise<void>;
}

interface PeopleListProps<Person extends Party> {
  title: string;
  text: string;
  /** In place of an empty list. */
  empty: string;
  people: readonly Person[];
  row: ComponentType<RowProps<Person>>;
  /** Below the list. */
  children?: ReactNode;
}

/** A setting that lists people, each with a button that takes them off. */
export function PeopleList<Person extends Party>(props: PeopleListProps<Person>) {
  const { title, text, empty, people, row: Row, children } = props;
  const { revalidate } = useRevalidator();
  const heading = useRef<HTMLHeadingElement>(null);

  async function handleRemoved() {
    await revalidate();
    heading.current?.focus(); // the button disappears with its row
  }

  return (
    <div className="stack">
      <div className={screenHeadStyles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      <p className="muted">{text}</p>
      {people.length === 0 && <Empty title={empty} />}
      {people.length > 0 && (
        <ul className={listStyles.list}>
          {people.map((person) => (
            <Row key={person.user_id} person={person} onRemoved={handleRemoved} />
          ))}
        </ul>
      )}
      {children}
    </div>
  );
}
