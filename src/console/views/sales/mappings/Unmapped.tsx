import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { Dialog } from "../../../../browser/parts/Dialog.tsx"
import { CheckField } from "../../../../browser/parts/Fields.tsx"
import { useForm } from "../../../../browser/parts/Form.ts"
import { Moment } from "../../../../browser/parts/Moment.tsx"
import { attempt } from "../../../../browser/parts/Toasts.tsx"
import { DeliveryFields } from "../../../club/Catalog.tsx"
import type { Membership } from "../../../club/Session.ts"
import { platformName, salesChanged, type Unmapped as Product, usePlatforms, useUnmapped } from "../Reads.ts"
import { DaysField, givenIn } from "./MappingForm.tsx"
import { TakeIn, takeIn } from "./TakeIn.tsx"

const words = spoken(
  {
    all: "For all offers of the product",
    allHint: (offer: string) => `Otherwise only for the offer ${offer}.`,
    last: "the last",
    lead:
      "They were sold but gave nobody access yet. Nothing is lost: choose what each gives, then take in the waiting sales.",
    map: "Map",
    mapOf: (product: string) => `Map ${product}`,
    mapped: "The product is mapped",
    offer: (offer: string) => `offer ${offer}`,
    sales: (count: number) => count === 1 ? "1 sale waits" : `${number(count)} sales wait`,
    save: "Map the product",
    saveAndTake: (count: number) => count === 1 ? "Map and take in 1 sale" : `Map and take in ${number(count)} sales`,
    take: "Take in the waiting sales",
    takeHint: (sales: string) => `${sales}: buyers get access, new students a mail, and your webhooks the events.`,
    title: "Products without a mapping"
  },
  {
    all: "Para todas as ofertas do produto",
    allHint: (offer: string) => `Se não, vale só para a oferta ${offer}.`,
    last: "a mais recente",
    lead:
      "Foram vendidos, mas ainda não deram acesso a ninguém. Nada se perdeu: escolha o que cada um dá e processe as vendas que aguardam.",
    map: "Mapear",
    mapOf: (product: string) => `Mapear ${product}`,
    mapped: "O produto foi mapeado",
    offer: (offer: string) => `oferta ${offer}`,
    sales: (count: number) => count === 1 ? "1 venda aguarda" : `${number(count)} vendas aguardam`,
    save: "Mapear o produto",
    saveAndTake: (count: number) =>
      count === 1 ? "Mapear e processar 1 venda" : `Mapear e processar ${number(count)} vendas`,
    take: "Processar as vendas que aguardam",
    takeHint: (sales: string) =>
      `${sales}: quem comprou ganha o acesso, alunos novos recebem um e-mail e seus webhooks recebem os eventos.`,
    title: "Produtos sem mapeamento"
  }
)

const nameOf = ({ external_product_id, name }: Product) => name ?? external_product_id

/** Says what a product gives, and takes in what waited, in one go. */
export const MapProduct = ({ club, onClose, product }: {
  readonly club: Membership
  readonly product: Product
  readonly onClose: () => void
}) => {
  const { events, external_offer_id, external_product_id, platform } = product
  const { data: platforms } = usePlatforms(club)
  const made = useSignal<{ readonly id: string; readonly unmapped_events: number } | undefined>(undefined)
  const close = () => {
    salesChanged(club)
    onClose()
  }
  const form = useForm({
    values: { delivery_id: "", cohort_id: "", access_days: "", all: "true", take: "true" },
    send: async (value) => {
      const { data } = await turma.productMappings.create({
        clubId: club.organization_id,
        body: {
          platform,
          external_product_id,
          external_offer_id: value("all") === "true" ? null : external_offer_id,
          ...givenIn(value)
        }
      })
      // The mapping stands whatever comes of the rest, so it is not made a second time.
      const isTaken = value("take") !== "true" || data.unmapped_events === 0 ||
        await attempt(() => takeIn(club, data.id))
      if (isTaken) close()
      else made.value = data
    },
    done: said(words).mapped
  })
  if (made.value !== undefined) return <TakeIn club={club} mapping={made.value} onClose={close} />
  return (
    <Dialog title={said(words).mapOf(nameOf(product))} onClose={onClose}>
      <form class="stack" onSubmit={form.submit}>
        <p class="soft">
          {platformName(platforms, platform)} <bdi>{external_product_id}</bdi>
        </p>
        <DeliveryFields club={club} form={form} />
        <DaysField form={form} />
        {external_offer_id !== null && (
          <CheckField
            form={form}
            name="all"
            label={said(words).all}
            hint={said(words).allHint(external_offer_id)}
          />
        )}
        {events > 0 && (
          <CheckField
            form={form}
            name="take"
            label={said(words).take}
            hint={said(words).takeHint(said(words).sales(events))}
          />
        )}
        <div class="actions">
          <button type="submit" disabled={form.value("delivery_id") === ""} aria-busy={form.isRunning}>
            {form.value("take") === "true" && events > 0 ? said(words).saveAndTake(events) : said(words).save}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

/** The sold products that give no access yet. Renders nothing without one. */
export const Unmapped = ({ club }: { readonly club: Membership }) => {
  const { data: products = [] } = useUnmapped(club)
  const { data: platforms } = usePlatforms(club)
  const chosen = useSignal<Product | undefined>(undefined)
  return (
    <>
      {products.length > 0 && (
        <section class="notice waiting stack" aria-labelledby="unmapped">
          <h2 id="unmapped">{said(words).title}</h2>
          <p>{said(words).lead}</p>
          <ul class="plain-list entries">
            {products.map((product) => (
              <li key={`${product.platform} ${product.external_product_id} ${product.external_offer_id}`} class="row">
                <span class="grow">
                  <strong dir="auto">{nameOf(product)}</strong>
                  <span class="soft small">
                    {platformName(platforms, product.platform)} <bdi>{product.external_product_id}</bdi>
                    {product.external_offer_id !== null && (
                      <>
                        , <bdi>{said(words).offer(product.external_offer_id)}</bdi>
                      </>
                    )}
                  </span>
                </span>
                <span class="number">
                  {said(words).sales(product.events)}, {said(words).last} <Moment at={product.last_received_at} />
                </span>
                <button
                  type="button"
                  aria-label={said(words).mapOf(nameOf(product))}
                  onClick={() => (chosen.value = product)}
                >
                  {said(words).map}
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen.value !== undefined && (
        <MapProduct club={club} product={chosen.value} onClose={() => (chosen.value = undefined)} />
      )}
    </>
  )
}
