/** Placeholder, to be replaced by the member screens. */
export default function Placeholder() {
  return null;
}
