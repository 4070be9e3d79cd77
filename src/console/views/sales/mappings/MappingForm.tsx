import { turma } from "../../../../browser/client/Api.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { SelectField, TextField } from "../../../../browser/parts/Fields.tsx"
import { type Form, orNull, useForm } from "../../../../browser/parts/Form.ts"
import { Failure } from "../../../../browser/parts/States.tsx"
import { DeliveryFields } from "../../../club/Catalog.tsx"
import type { Membership } from "../../../club/Session.ts"
import { chosenKey, type Mapping, salesChanged, usePlatforms } from "../Reads.ts"
import { salesWords } from "../words.ts"

const words = spoken(
  {
    change: "Change the mapping",
    changeText: "Later sales give this. Access that earlier sales gave stays as it is.",
    create: "Map a product",
    created: "The product is mapped",
    createText: "Later sales of this product give the delivery. You can then process the waiting sales.",
    days: "Days of access",
    daysHint: "Used if the platform gives no end. Empty: as the delivery says.",
    offer: "Offer on the platform",
    offerHint: "The mapping covers only this offer. Empty: all offers of the product.",
    platform: "Platform",
    product: "Product on the platform",
    productHint: "The product's id on the platform."
  },
  {
    change: "Mudar o mapeamento",
    changeText: "As próximas vendas dão isto. O acesso dado por vendas anteriores fica como está.",
    create: "Mapear um produto",
    created: "O produto foi mapeado",
    createText: "As próximas vendas deste produto dão a entrega. Depois dá para processar as vendas que aguardam.",
    days: "Dias de acesso",
    daysHint: "Vale se a plataforma não informar um fim. Em branco: como diz a entrega.",
    offer: "Oferta na plataforma",
    offerHint: "O mapeamento vale só para esta oferta. Em branco: todas as ofertas do produto.",
    platform: "Plataforma",
    product: "Produto na plataforma",
    productHint: "O id do produto na plataforma."
  }
)

/** The access that a product gives, from a form. */
export const givenIn = (value: (name: string) => string) => ({
  delivery_id: value("delivery_id"),
  cohort_id: orNull(value("cohort_id")),
  access_days: value("access_days") === "" ? null : Number(value("access_days"))
})

/** For how many days a product gives access. */
export const DaysField = ({ form }: { readonly form: Form }) => (
  <TextField
    form={form}
    name="access_days"
    label={said(words).days}
    hint={said(words).daysHint}
    type="number"
    min={1}
    max={36_500}
  />
)

const valuesOf = (mapping: Mapping | undefined) => ({
  platform: mapping?.platform ?? "hotmart",
  external_product_id: mapping?.external_product_id ?? "",
  external_offer_id: mapping?.external_offer_id ?? "",
  delivery_id: mapping?.delivery_id ?? "",
  cohort_id: mapping?.cohort_id ?? "",
  access_days: mapping?.access_days === null || mapping === undefined ? "" : String(mapping.access_days)
})

interface MappingFormProps {
  readonly club: Membership
  /** The one to change; a new one without it. */
  readonly mapping?: Mapping
  readonly onClose: () => void
  readonly onMade?: (mapping: { readonly id: string; readonly unmapped_events: number }) => void
}

/** Says what a product gives, or changes that. */
export const MappingForm = ({ club, mapping, onClose, onMade }: MappingFormProps) => {
  const clubId = club.organization_id
  const { data: platforms = [], error, reload } = usePlatforms(club)
  const form = useForm({
    of: mapping,
    values: valuesOf(mapping),
    send: async (value) => {
      const terms = {
        external_product_id: value("external_product_id").trim(),
        external_offer_id: orNull(value("external_offer_id")),
        ...givenIn(value)
      }
      const { data } = mapping === undefined
        ? await turma.productMappings.create({
          clubId,
          body: { platform: chosenKey(platforms, value("platform")), ...terms }
        })
        : await turma.productMappings.update({ clubId, mappingId: mapping.id, body: form.changes(terms) })
      salesChanged(club)
      onClose()
      onMade?.(data)
    },
    done: mapping === undefined ? said(words).created : said(salesWords).saved
  })
  const isChosen = mapping !== undefined || platforms.some(({ key }) => key === form.value("platform"))
  return (
    <Dialog title={mapping === undefined ? said(words).create : said(words).change} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p class="soft">{mapping === undefined ? said(words).createText : said(words).changeText}</p>
        {mapping === undefined && platforms.length === 0 && error !== undefined && (
          <Failure error={error} again={reload} />
        )}
        {mapping === undefined && (
          <SelectField
            form={form}
            name="platform"
            label={said(words).platform}
            choices={platforms.map(({ key, name }) => ({ value: key, label: name }))}
          />
        )}
        <TextField
          form={form}
          name="external_product_id"
          label={said(words).product}
          hint={said(words).productHint}
          maxLength={200}
          required
          autocomplete="off"
        />
        <TextField
          form={form}
          name="external_offer_id"
          label={said(words).offer}
          hint={said(words).offerHint}
          maxLength={200}
          autocomplete="off"
        />
        <DeliveryFields club={club} form={form} />
        <DaysField form={form} />
        <div class="actions">
          <button
            type="submit"
            disabled={mapping !== undefined && !form.isChanged || !isChosen || form.value("delivery_id") === ""}
            aria-busy={form.isRunning}
          >
            {mapping === undefined ? said(words).create : said(salesWords).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}
