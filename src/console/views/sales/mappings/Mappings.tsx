import { useSignal } from "@preact/signals"
import { turma } from "../../../../browser/client/Api.ts"
import { number } from "../../../../browser/client/Format.ts"
import { said, spoken } from "../../../../browser/client/Language.ts"
import { useRead } from "../../../../browser/client/Reads.ts"
import { Confirm } from "../../../../browser/parts/Dialog.tsx"
import { MenuEntry, MoreMenu } from "../../../../browser/parts/Menu.tsx"
import { PageHead } from "../../../../browser/parts/PageHead.tsx"
import { Empty, Shown } from "../../../../browser/parts/States.tsx"
import { Tabs } from "../../../../browser/parts/Tabs.tsx"
import { type Delivery, deliveryLabel, useDeliveries } from "../../../club/Catalog.tsx"
import type { Membership } from "../../../club/Session.ts"
import { clubPage, type ClubViewProps, useCommands } from "../../../club/View.ts"
import {
  type Mapping,
  type Platform,
  platformName,
  salesChanged,
  salesTabs,
  useMappings,
  usePlatforms
} from "../Reads.ts"
import { salesWords } from "../words.ts"
import { MappingForm } from "./MappingForm.tsx"
import { TakeIn } from "./TakeIn.tsx"
import { Unmapped } from "./Unmapped.tsx"

const words = spoken(
  {
    archived: "The delivery is archived: sales of this product wait.",
    asDelivery: "for as long as the delivery says",
    change: "Change",
    days: (days: string) => `for ${days}`,
    gives: "gives",
    lead: "The access that each product of your sales platforms gives.",
    map: "Map a product",
    mapped: "Mapped products",
    none: "No product is mapped yet",
    noneText: "Until a product is mapped, its sales wait with all their data.",
    remove: "Delete",
    removed: "The mapping is deleted",
    removeText: "Access that it gave stays. Later sales of the product wait for a mapping, unless it has another.",
    removeTitle: "Delete this mapping?",
    waiting: (count: number) =>
      count === 1 ? "1 sale waits for this mapping now." : `${number(count)} sales wait for this mapping now.`
  },
  {
    archived: "A entrega está arquivada: as vendas deste produto ficam aguardando.",
    asDelivery: "pelo prazo da entrega",
    change: "Mudar",
    days: (days: string) => `por ${days}`,
    gives: "dá",
    lead: "O acesso que cada produto das suas plataformas de vendas dá.",
    map: "Mapear um produto",
    mapped: "Produtos mapeados",
    none: "Nenhum produto mapeado ainda",
    noneText: "Até um produto ser mapeado, as vendas dele aguardam com todos os dados da plataforma.",
    remove: "Excluir",
    removed: "O mapeamento foi excluído",
    removeText:
      "O acesso que ele já deu fica. As próximas vendas do produto aguardam mapeamento, a não ser que haja outro.",
    removeTitle: "Excluir este mapeamento?",
    waiting: (count: number) =>
      count === 1 ? "1 venda aguarda este mapeamento agora." : `${number(count)} vendas aguardam este mapeamento agora.`
  }
)

const productOf = ({ external_offer_id, external_product_id }: Mapping) =>
  external_offer_id === null ? external_product_id : `${external_product_id} · ${external_offer_id}`

/** Names of what a mapping says by ids. */
interface Known {
  readonly platforms: ReadonlyArray<Platform> | undefined
  readonly deliveries: ReadonlyArray<Delivery> | undefined
}

interface LineProps extends Known {
  readonly mapping: Mapping
  readonly change: () => void
  readonly remove: () => void
}

const Line = ({ change, deliveries, mapping, platforms, remove }: LineProps) => {
  const { access_days, delivery_id, platform } = mapping
  const delivery = deliveries?.find(({ id }) => id === delivery_id)
  const product = productOf(mapping)
  return (
    <li class="row">
      <span class="grow">
        <strong dir="auto">{product}</strong>
        <span class="soft small">{platformName(platforms, platform)}</span>
      </span>
      <span class="grow">
        <span>
          {said(words).gives} <bdi>{delivery === undefined ? "" : deliveryLabel(delivery)}</bdi>
        </span>
        <span class="soft small">
          {access_days === null ? said(words).asDelivery : said(words).days(said(salesWords).days(access_days))}
        </span>
        {delivery?.archived === true && <span class="small">{said(words).archived}</span>}
      </span>
      <span class="actions">
        <button type="button" class="quiet" aria-label={`${said(words).change}: ${product}`} onClick={change}>
          {said(words).change}
        </button>
        <MoreMenu of={product}>
          <MenuEntry
            icon="remove"
            isDangerous
            label={said(words).remove}
            name={`${said(words).remove}: ${product}`}
            act={remove}
          />
        </MoreMenu>
      </span>
    </li>
  )
}

const Remove = ({ club, mapping, onClose }: {
  readonly club: Membership
  readonly mapping: Mapping
  readonly onClose: () => void
}) => {
  const target = { clubId: club.organization_id, mappingId: mapping.id }
  const { data } = useRead(`${club.organization_id}/product-mappings/${mapping.id}`, async (signal) => {
    const { data } = await turma.productMappings.get(target, { signal })
    return data
  })
  return (
    <Confirm
      title={said(words).removeTitle}
      action={said(words).remove}
      isDangerous
      done={said(words).removed}
      onClose={onClose}
      work={async () => {
        await turma.productMappings.remove(target)
        salesChanged(club)
      }}
    >
      <p>
        <bdi>{productOf(mapping)}</bdi>
      </p>
      <p>{said(words).removeText}</p>
      {data !== undefined && data.unmapped_events > 0 && <p>{said(words).waiting(data.unmapped_events)}</p>}
    </Confirm>
  )
}

/** The accesses that products give, and the products without access. */
export default function Mappings({ club }: ClubViewProps) {
  const mappings = useMappings(club)
  const { data: platforms } = usePlatforms(club)
  const { data: deliveries } = useDeliveries(club)
  const isMapping = useSignal(false)
  const changing = useSignal<Mapping | undefined>(undefined)
  const removing = useSignal<Mapping | undefined>(undefined)
  const made = useSignal<{ readonly id: string; readonly unmapped_events: number } | undefined>(undefined)
  const map = () => {
    isMapping.value = true
  }
  const told = (mapping: { readonly id: string; readonly unmapped_events: number }) => {
    if (mapping.unmapped_events > 0) made.value = mapping
  }
  useCommands([{ label: said(words).map, keys: "n", run: map }])
  const mapButton = <button type="button" onClick={map}>{said(words).map}</button>
  return (
    <>
      <PageHead
        title={said(salesWords).products}
        above={[{ label: said(salesWords).sales, to: clubPage(club, "sales") }]}
        actions={mapButton}
      >
        {said(words).lead}
      </PageHead>
      <Tabs label={said(salesWords).parts} tabs={salesTabs(club)} />
      <Unmapped club={club} />
      <section class="stack" aria-labelledby="mapped">
        <h2 id="mapped">{said(words).mapped}</h2>
        <Shown read={mappings}>
          {(shown) =>
            shown.length === 0
              ? <Empty icon="bag" title={said(words).none} action={mapButton}>{said(words).noneText}</Empty>
              : (
                <ul class="plain-list entries card">
                  {shown.map((mapping) => (
                    <Line
                      key={mapping.id}
                      mapping={mapping}
                      platforms={platforms}
                      deliveries={deliveries}
                      change={() => (changing.value = mapping)}
                      remove={() => (removing.value = mapping)}
                    />
                  ))}
                </ul>
              )}
        </Shown>
      </section>
      {isMapping.value && <MappingForm club={club} onClose={() => (isMapping.value = false)} onMade={told} />}
      {changing.value !== undefined && (
        <MappingForm
          club={club}
          mapping={mappings.data?.find(({ id }) => id === changing.value?.id) ?? changing.value}
          onClose={() => (changing.value = undefined)}
          onMade={told}
        />
      )}
      {removing.value !== undefined && (
        <Remove club={club} mapping={removing.value} onClose={() => (removing.value = undefined)} />
      )}
      {made.value !== undefined && <TakeIn club={club} mapping={made.value} onClose={() => (made.value = undefined)} />}
    </>
  )
}
