/** Changes the number of samples a second, along a curve through four neighbours (Catmull-Rom). */

export function resample(samples: Int16Array, from: number, to: number): Int16Array {
  const step = from / to;
  const count = Math.floor(samples.length / step);
  const at = (index: number) => samples[Math.min(samples.length - 1, Math.max(0, index))] ?? 0;
  return Int16Array.from({ length: count }, (_, index) => {
    const place = index * step;
    const before = Math.floor(place);
    const part = place - before;
    const [first, second, third, fourth] = [
      at(before - 1),
      at(before),
      at(before + 1),
      at(before + 2),
    ];
    const curve =
      second +
      0.5 *
        part *
        (third -
          first +
          part *
            (2 * first -
              5 * second +
              4 * third -
              fourth +
              part * (3 * (second - third) + fourth - first)));
    return Math.max(-32_768, Math.min(32_767, Math.round(curve)));
  });
}
