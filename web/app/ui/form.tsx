import type { ComponentProps } from "react";

interface FormProps extends Omit<ComponentProps<"form">, "method" | "onSubmit"> {
  onSubmit: (form: HTMLFormElement) => void;
}

/** A form that the app sends. NOTE: by `post`, so that should a browser send it by itself, no password gets into an address. */
export function Form({ onSubmit, children, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event.currentTarget);
      }}
    >
      {children}
    </form>
  );
}
