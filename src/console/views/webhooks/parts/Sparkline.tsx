import { barsOf, type Outcomes, topOf } from "../model/Bars.ts"

/** Bars without words: what is accepted below, what failed on top. Its label says the numbers. */
export const Sparkline = ({ label, points }: { readonly points: ReadonlyArray<Outcomes>; readonly label: string }) => (
  <svg class="bars spark" viewBox="0 0 1 1" preserveAspectRatio="none" role="img" aria-label={label}>
    {barsOf(points, topOf(points), 0.06).map(({ failed, succeeded, width, x }, index) => (
      <g key={points[index]?.at ?? index}>
        <rect class="good" x={x} y={succeeded.y} width={width} height={succeeded.height} />
        <rect class="bad" x={x} y={failed.y} width={width} height={failed.height} />
      </g>
    ))}
  </svg>
)
