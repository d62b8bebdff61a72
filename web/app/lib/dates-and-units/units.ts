/** Returns feet and inches as the wire's number, feet + inches/100: 5.11 is 5 ft 11 in. */
export function fromFeet(feet: string, inches: string): string {
  const whole = feet.trim();
  const rest = inches.trim();
  if (whole === "" && rest === "") return "";
  return /^\d+$/.test(whole) && /^\d{0,2}$/.test(rest)
    ? `${whole}.${rest.padStart(2, "0")}`
    : `${whole}.${rest}`;
}

export function toFeet(tall: number): { feet: number; inches: number } {
  const hundredths = Math.round(tall * 100);
  return { feet: Math.floor(hundredths / 100), inches: hundredths % 100 };
}
