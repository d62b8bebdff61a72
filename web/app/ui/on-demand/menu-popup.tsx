import { Menu as Base } from "@base-ui/react/menu";
import { useContext, useEffect, useRef, useState, type FocusEvent, type KeyboardEvent } from "react";
import { DialogsPaused } from "./dialogs-paused.ts";
import { Icon, type IconName } from "../icon.tsx";
import { classNames } from "../class-names.ts";
import buttonStyles from "../button.module.css";
import menuStyles from "../menu.module.css";

export interface MenuEntry {
  icon: IconName;
  label: string;
  hint?: string;
  isDanger?: boolean;
  /** A line above it. */
  startsGroup?: boolean;
  /** Only on a phone. */
  isNarrow?: boolean;
  onChoose: () => void;
}

/** Small signs in a row, of which at most one is chosen. */
export interface MenuChoices {
  label: string;
  options: readonly { icon: IconName; label: string; isChosen: boolean; onChoose: () => void }[];
}

export interface MenuProps {
  label: string;
  entries: readonly MenuEntry[];
  /** A button without surface, as in a bar. */
  isPlain?: boolean;
}

export interface MenuAtProps extends Omit<MenuProps, "isPlain"> {
  isOpen: boolean;
  /** The first entry takes the focus. */
  isByKeyboard: boolean;
  anchor: () => HTMLElement | null;
  align: "start" | "end";
  choices?: MenuChoices;
  onClose: () => void;
  focusAfter: () => HTMLElement | null;
}

interface MenuPopupProps extends MenuProps {
  /** The press that loaded it. With a keyboard the first entry takes the focus. */
  isByKeyboard: boolean;
}

/** Open at first. */
export function MenuPopup({ label, entries, isPlain = false, isByKeyboard }: MenuPopupProps) {
  const [isOpen, setOpen] = useState(!isByKeyboard);
  const trigger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isByKeyboard) trigger.current?.click();
  }, [isByKeyboard]);
  const isPaused = useContext(DialogsPaused);
  return (
    <Base.Root open={isOpen && !isPaused} onOpenChange={setOpen}>
      <Base.Trigger
        ref={trigger}
        className={classNames(buttonStyles.iconButton, !isPlain && buttonStyles.raised)}
        aria-label={label}
        title={label}
      >
        <Icon name="more" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={menuStyles.place} align="end" sideOffset={6} collisionPadding={12}>
          <Base.Popup className={menuStyles.menu} aria-label={label}>
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuPopupAt({
  isOpen,
  isByKeyboard,
  anchor,
  align,
  onClose,
  focusAfter,
  label,
  entries,
  choices,
}: MenuAtProps) {
  const isPaused = useContext(DialogsPaused);
  return (
    <Base.Root open={isOpen && !isPaused} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Positioner
          className={menuStyles.place}
          anchor={anchor}
          align={align}
          sideOffset={4}
          collisionPadding={12}
        >
          <Base.Popup
            className={menuStyles.menu}
            aria-label={label}
            finalFocus={focusAfter}
            onFocus={isByKeyboard ? focusFirstEntry : undefined}
          >
            {choices && <Choices {...choices} />}
            <Entries entries={entries} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** An opened menu first focuses itself. */
function focusFirstEntry({ target, currentTarget, relatedTarget }: FocusEvent<HTMLElement>): void {
  const isOpening = target === currentTarget && !currentTarget.contains(relatedTarget);
  if (isOpening) currentTarget.querySelector<HTMLElement>('[role="menuitem"]')?.focus();
}

function Choices({ label, options }: MenuChoices) {
  const chosen = options.find(({ isChosen }) => isChosen)?.label ?? "";
  return (
    <Base.RadioGroup
      className={menuStyles.choices}
      aria-label={label}
      value={chosen}
      onKeyDown={handleSideways}
    >
      {options.map(({ icon, label: name, isChosen, onChoose }) => (
        <Base.RadioItem
          key={name}
          className={classNames(menuStyles.choice, isChosen && menuStyles.chosen)}
          value={name}
          label={name}
          aria-label={name}
          title={name}
          closeOnClick
          onClick={onChoose}
        >
          <Icon name={icon} />
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

/** The menu itself moves up and down. */
function handleSideways(event: KeyboardEvent<HTMLElement>): void {
  const step = event.key === "ArrowLeft" ? -1 : event.key === "ArrowRight" ? 1 : 0;
  if (step === 0) return;
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="menuitemradio"]')];
  const next = all[all.indexOf(event.target as HTMLElement) + step];
  event.preventDefault();
  event.stopPropagation();
  next?.focus();
}

function Entries({ entries }: Pick<MenuProps, "entries">) {
  return entries.map((entry) => <Entry key={entry.label} {...entry} />);
}

function Entry({ icon, label, hint, isDanger, startsGroup, isNarrow, onChoose }: MenuEntry) {
  return (
    <Base.Item
      className={classNames(
        menuStyles.item,
        isDanger && menuStyles.itemDanger,
        startsGroup && menuStyles.itemFirst,
        isNarrow && "only-narrow",
      )}
      label={label}
      onClick={onChoose}
    >
      <Icon name={icon} />
      <span>
        {label}
        {hint && <span className="hint">{hint}</span>}
      </span>
    </Base.Item>
  );
}
