import type { ComponentProps } from "react";

interface FormProps extends Omit<ComponentProps<"form">, "method" | "onSubmit"> {
  onSubmit: (form: HTMLFormElement) => void;
}

/** NOTE: The method is `post`, so that a submit before hydration puts no password into the URL. */
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
