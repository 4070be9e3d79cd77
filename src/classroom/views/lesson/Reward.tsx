import { counted, number } from "../../../browser/client/Format.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { Icon } from "../../../browser/parts/Icon.tsx"
import { useStanding } from "../../club/standing.ts"
import { to } from "../../club/View.ts"

const words = spoken(
  {
    earned: (points: number) => `+${number(points)} ${counted(points, "point", "points")}`,
    level: (name: string) => `Level ${name}`,
    more: (points: number, name: string) => `${number(points)} more ${counted(points, "point", "points")} to ${name}`,
    reached: (name: string) => `You have reached the level ${name}!`
  },
  {
    earned: (points: number) => `+${number(points)} ${counted(points, "ponto", "pontos")}`,
    level: (name: string) => `Nível ${name}`,
    more: (points: number, name: string) =>
      `${counted(points, "Falta", "Faltam")} ${number(points)} ${counted(points, "ponto", "pontos")} para ${name}`,
    reached: (name: string) => `Você chegou ao nível ${name}!`
  }
)

/** The points that something has just earned, and where the student stands with them. */
export const Reward = ({ points }: { readonly points: number }) => {
  const standing = useStanding(points > 0)
  if (points <= 0) return null
  const now = standing.data
  return (
    <div class="reward" role="status">
      <Icon name="trophy" />
      <div>
        <strong>{said(words).earned(points)}</strong>
        {now !== undefined && (
          <p>
            <a href={to("ranking")}>
              {now.points - points < now.level.min_points
                ? said(words).reached(now.level.name)
                : said(words).level(now.level.name)}
            </a>
            {now.next_level !== null && (
              <span class="soft">
                {" · "}
                {said(words).more(now.next_level.min_points - now.points, now.next_level.name)}
              </span>
            )}
          </p>
        )}
      </div>
    </div>
  )
}
