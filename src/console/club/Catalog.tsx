import { useLayoutEffect } from "preact/hooks"
import { turma } from "../../browser/client/Api.ts"
import { said, spoken } from "../../browser/client/Language.ts"
import { allOf } from "../../browser/client/Lists.ts"
import { type Read, useRead } from "../../browser/client/Reads.ts"
import { type Choice, SelectField } from "../../browser/parts/Fields.tsx"
import type { Form } from "../../browser/parts/Form.ts"
import type { Schemas } from "../../sdk/index.ts"
import type { Membership } from "./Session.ts"

const words = spoken(
  {
    archived: (name: string) => `${name} (archived)`,
    choose: "Choose…",
    cohort: "Cohort",
    delivery: "Delivery",
    noCohort: "No cohort",
    noCohorts: "This delivery has no cohort.",
    none: "The club has no delivery yet. Create one first: it says what students get access to."
  },
  {
    archived: (name: string) => `${name} (arquivada)`,
    choose: "Escolha…",
    cohort: "Turma",
    delivery: "Entrega",
    noCohort: "Sem turma",
    noCohorts: "Esta entrega não tem turmas.",
    none: "O clube ainda não tem entregas: crie uma primeiro. Ela define o que os alunos podem acessar."
  }
)

/** A thing that a club gives access to. */
export type Delivery = Schemas["Delivery"]

/** The deliveries of a club, those that are archived last. */
export const useDeliveries = ({ organization_id: clubId }: Membership): Read<ReadonlyArray<Delivery>> =>
  useRead(`${clubId}/deliveries/choices`, async (signal) => {
    const [current, archived] = await Promise.all([
      allOf(turma.deliveries.list({ clubId, limit: 100 }, { signal })),
      allOf(turma.deliveries.list({ clubId, limit: 100, archived: "true" }, { signal }))
    ])
    return [...current, ...archived]
  })

/** The cohorts of a delivery. */
export const useCohorts = (
  { organization_id: clubId }: Membership,
  deliveryId: string
): Read<ReadonlyArray<Schemas["Cohort"]>> =>
  useRead(
    deliveryId === "" ? undefined : `${clubId}/deliveries/${deliveryId}/cohorts/choices`,
    (signal) => allOf(turma.deliveries.listCohorts({ clubId, deliveryId, limit: 100 }, { signal }))
  )

/** A delivery by its name, and whether it is archived. */
export const deliveryLabel = ({ archived, name }: Delivery): string => archived ? said(words).archived(name) : name

/** The deliveries to choose from. */
export const deliveryChoices = (deliveries: ReadonlyArray<Delivery> | undefined): ReadonlyArray<Choice> =>
  (deliveries ?? []).map((delivery) => ({ value: delivery.id, label: deliveryLabel(delivery) }))

interface CohortFieldProps {
  readonly club: Membership
  readonly deliveryId: string
  readonly form: Form
  /** True if the field says that the delivery has no cohorts. */
  readonly isSaid?: boolean
}

/** The cohorts of a delivery to choose from. Empty if it has no cohorts and `isSaid` is false. */
export const CohortField = ({ club, deliveryId, form, isSaid = false }: CohortFieldProps) => {
  const { data: cohorts = [], isLoading } = useCohorts(club, deliveryId)
  const isOfOther = !isLoading && form.value("cohort_id") !== "" &&
    !cohorts.some(({ id }) => id === form.value("cohort_id"))
  useLayoutEffect(() => {
    if (isOfOther) form.set("cohort_id", "")
  }, [isOfOther])
  if (cohorts.length === 0) return isSaid && !isLoading ? <p class="notice">{said(words).noCohorts}</p> : null
  const choices = [
    { value: "", label: said(words).noCohort },
    ...cohorts.map(({ id, name }) => ({ value: id, label: name }))
  ]
  return <SelectField form={form} name="cohort_id" label={said(words).cohort} choices={choices} />
}

/** A delivery that is not archived, and a cohort of it: `delivery_id` and `cohort_id` of the form. */
export const DeliveryFields = ({ club, form }: { readonly club: Membership; readonly form: Form }) => {
  const { data } = useDeliveries(club)
  const current = data?.filter(({ archived, id }) => !archived || id === form.value("delivery_id"))
  const choices = [{ value: "", label: said(words).choose }, ...deliveryChoices(current)]
  return (
    <>
      <SelectField
        form={form}
        name="delivery_id"
        label={said(words).delivery}
        choices={choices}
        {...(current?.length === 0 ? { hint: said(words).none } : {})}
      />
      <CohortField club={club} deliveryId={form.value("delivery_id")} form={form} />
    </>
  )
}
