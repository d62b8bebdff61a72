import type { RefObject } from "react";

interface PictureInputProps {
  /** A visible button clicks it. */
  ref: RefObject<HTMLInputElement | null>;
  label: string;
  /** The field whose errors it belongs to. */
  field?: string;
  onChoose: (file: File) => void;
}

/** Opens the device's choice of a picture. */
export function PictureInput({ ref, label, field, onChoose }: PictureInputProps) {
  return (
    <input
      ref={ref}
      type="file"
      accept="image/*"
      hidden
      data-field={field}
      aria-label={label}
      onChange={(event) => {
        const [file] = event.currentTarget.files ?? [];
        event.currentTarget.value = ""; // the same file may be chosen again
        if (file) onChoose(file);
      }}
    />
  );
}
