/** Copies the element in a template. React puts it beside the template's content instead of into it. */
export function copyOf(template: Element): HTMLElement {
  const { content } = template as HTMLTemplateElement;
  return (content.firstElementChild ?? template.firstElementChild)!.cloneNode(true) as HTMLElement;
}

export const copyOfTemplate = (id: string): HTMLElement => copyOf(document.getElementById(id)!);
