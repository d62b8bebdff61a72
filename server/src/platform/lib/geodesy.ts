/** Takes a distance in degrees and a bearing in radians from north, across poles and the date line. */
export function destination(longitude: number, latitude: number, arc: number, bearing: number) {
  const [a, phi, lambda] = [arc, latitude, longitude].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const there = Math.asin(Math.sin(phi) * Math.cos(a) + Math.cos(phi) * Math.sin(a) * Math.cos(bearing));
  const turn = Math.atan2(
    Math.sin(bearing) * Math.sin(a) * Math.cos(phi),
    Math.cos(a) - Math.sin(phi) * Math.sin(there),
  );
  const degrees = ((lambda + turn) * 180) / Math.PI;
  return { longitude: ((degrees + 540) % 360) - 180, latitude: (there * 180) / Math.PI };
}
