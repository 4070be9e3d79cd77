import { useId } from "preact/hooks"
import { turma } from "../../../browser/client/Api.ts"
import { said, spoken } from "../../../browser/client/Language.ts"
import { allOf } from "../../../browser/client/Lists.ts"
import { useRead } from "../../../browser/client/Reads.ts"
import { mergedOrder } from "../../../browser/parts/order.ts"
import { Order } from "../../../browser/parts/Order.tsx"
import { Empty, Shown } from "../../../browser/parts/States.tsx"
import { attempt } from "../../../browser/parts/Toasts.tsx"
import type { Schemas } from "../../../sdk/index.ts"
import { may } from "../../club/Rights.ts"
import type { Membership } from "../../club/Session.ts"
import { ofClub } from "../../club/View.ts"

const words = spoken(
  {
    add: "Add to it",
    choose: "Choose…",
    community: "Community",
    course: "Course",
    empty: "The delivery is empty",
    emptyText: "Students who have it see nothing until you add a course, a repository, a live or the community.",
    gone: "No longer exists",
    items: "What is in it",
    live: "Live",
    remove: "Take out",
    removeOf: (name: string) => `Take out ${name}`,
    repository: "Repository"
  },
  {
    add: "Adicionar",
    choose: "Escolha…",
    community: "Comunidade",
    course: "Curso",
    empty: "A entrega está vazia",
    emptyText: "Quem a recebe não vê nada até você adicionar um curso, um repositório, uma live ou a comunidade.",
    gone: "Não existe mais",
    items: "O que ela inclui",
    live: "Live",
    remove: "Remover",
    removeOf: (name: string) => `Remover ${name}`,
    repository: "Repositório"
  }
)

type Item = Schemas["Delivery"]["items"][number]

interface Named extends Item {
  readonly name: string
}

/** Everything that a delivery may contain, by its name. */
const readNames = async (club: Membership, signal: AbortSignal): Promise<ReadonlyArray<Named>> => {
  const [courses, repositories, lives, community] = await Promise.all([
    allOf(turma.courses.list({ ...ofClub(club), limit: 100 }, { signal })),
    allOf(turma.repositories.list({ ...ofClub(club), limit: 100 }, { signal })),
    allOf(turma.lives.list({ ...ofClub(club), limit: 100 }, { signal })),
    turma.community.read(ofClub(club), { signal })
  ])
  return [
    ...courses.map(({ id, title }) => ({ kind: "course", id, name: title }) as const),
    ...repositories.map(({ id, title }) => ({ kind: "repository", id, name: title }) as const),
    ...lives.map(({ id, title }) => ({ kind: "live", id, name: title }) as const),
    { kind: "community", id: community.data.id, name: community.data.name }
  ]
}

const keyOf = ({ id, kind }: Item) => `${kind} ${id}`

interface DeliveryItemsProps {
  readonly club: Membership
  readonly delivery: Schemas["Delivery"]
  readonly after: () => void
}

/** The items of a delivery, in the order that students see. */
export const DeliveryItems = ({ after, club, delivery }: DeliveryItemsProps) => {
  const id = useId()
  const mayTeach = may(club.role, "teach")
  const names = useRead(`${club.organization_id}/items`, (signal) => readNames(club, signal))
  const save = async (items: ReadonlyArray<Item>) => {
    const params = { ...ofClub(club), deliveryId: delivery.id }
    // They are replaced all together: what others have added or taken out meanwhile is kept so.
    const { data: { items: now } } = await turma.deliveries.get(params)
    const all = new Map([...now, ...items].map(({ id, kind }) => [keyOf({ id, kind }), { id, kind }]))
    const keys = mergedOrder(delivery.items.map(keyOf), items.map(keyOf), now.map(keyOf))
    await turma.deliveries.update({ ...params, body: { items: keys.flatMap((key) => all.get(key) ?? []) } })
  }
  const put = async (items: ReadonlyArray<Item>) => {
    await attempt(() => save(items))
    after()
  }
  const isIn = new Set(delivery.items.map(keyOf))
  return (
    <section class="stack" aria-labelledby={id}>
      <h2 id={id}>{said(words).items}</h2>
      <Shown read={names}>
        {(known) => {
          const nameOf = (item: Item) => known.find((one) => keyOf(one) === keyOf(item))?.name ?? said(words).gone
          return (
            <>
              {delivery.items.length === 0 && (
                <Empty icon="bag" title={said(words).empty}>{said(words).emptyText}</Empty>
              )}
              <Order
                label={said(words).items}
                items={delivery.items}
                keyOf={keyOf}
                nameOf={nameOf}
                isFixed={!mayTeach}
                save={(keys) => save(keys.flatMap((key) => delivery.items.find((item) => keyOf(item) === key) ?? []))}
                after={after}
              >
                {(item) => (
                  <div class="line">
                    <div class="line-words">
                      <span dir="auto">{nameOf(item)}</span>
                      <span class="soft small">{said(words)[item.kind]}</span>
                    </div>
                    {mayTeach && (
                      <button
                        type="button"
                        class="quiet"
                        aria-label={said(words).removeOf(nameOf(item))}
                        onClick={() => void put(delivery.items.filter((one) => keyOf(one) !== keyOf(item)))}
                      >
                        {said(words).remove}
                      </button>
                    )}
                  </div>
                )}
              </Order>
              {mayTeach && (
                <div class="field narrow">
                  <label for={`${id}-add`}>{said(words).add}</label>
                  <select
                    id={`${id}-add`}
                    value=""
                    onChange={({ currentTarget }) => {
                      const found = known.find((one) => keyOf(one) === currentTarget.value)
                      currentTarget.value = ""
                      if (found !== undefined) void put([...delivery.items, found])
                    }}
                  >
                    <option value="">{said(words).choose}</option>
                    {known.filter((one) => !isIn.has(keyOf(one))).map((one) => (
                      <option key={keyOf(one)} value={keyOf(one)}>{`${said(words)[one.kind]}: ${one.name}`}</option>
                    ))}
                  </select>
                </div>
              )}
            </>
          )
        }}
      </Shown>
    </section>
  )
}
