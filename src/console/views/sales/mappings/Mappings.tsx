import { useSignal } from "@preact/signals"
import { turma } from "../../../client/Api.ts"
import { number } from "../../../client/Format.ts"
import { said, spoken } from "../../../client/Language.ts"
import { wholeList } from "../../../client/Lists.ts"
import { useRead } from "../../../client/Reads.ts"
import type { Membership } from "../../../client/Session.ts"
import { clubPage, type ClubViewProps, useCommands } from "../../../client/View.ts"
import { type Delivery, deliveryLabel, useDeliveries } from "../../../parts/Catalog.tsx"
import { Confirm } from "../../../parts/Dialog.tsx"
import { PageHead } from "../../../parts/PageHead.tsx"
import { Empty } from "../../../parts/States.tsx"
import { type Column, Table } from "../../../parts/Table.tsx"
import { Tabs } from "../../../parts/Tabs.tsx"
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
    access: "Gives",
    actions: "Actions",
    asDelivery: "as the delivery",
    change: "Change",
    days: "For",
    lead: "What each product of your sales platforms gives access to.",
    map: "Map a product",
    mapped: "Mapped products",
    none: "No product is mapped yet",
    noneText: "Until a product is mapped, its sales wait with everything that the platform told.",
    product: "Product",
    remove: "Delete",
    removed: "The mapping is deleted",
    removeText:
      "Access that sales have given through it stays. Later sales of the product wait for a mapping, unless it has another.",
    removeTitle: "Delete this mapping?",
    waiting: (count: number) =>
      count === 1 ? "1 sale waits for this mapping now." : `${number(count)} sales wait for this mapping now.`
  },
  {
    access: "Dá",
    actions: "Ações",
    asDelivery: "como a entrega",
    change: "Mudar",
    days: "Por",
    lead: "A que cada produto das suas plataformas de venda dá acesso.",
    map: "Mapear um produto",
    mapped: "Produtos mapeados",
    none: "Nenhum produto mapeado ainda",
    noneText: "Até um produto ser mapeado, as vendas dele esperam com tudo o que a plataforma contou.",
    product: "Produto",
    remove: "Excluir",
    removed: "O mapeamento foi excluído",
    removeText:
      "O acesso que vendas já deram por ele fica. Vendas futuras do produto esperam um mapeamento, a não ser que haja outro.",
    removeTitle: "Excluir este mapeamento?",
    waiting: (count: number) =>
      count === 1 ? "1 venda espera este mapeamento agora." : `${number(count)} vendas esperam este mapeamento agora.`
  }
)

interface Known {
  readonly platforms: ReadonlyArray<Platform> | undefined
  readonly deliveries: ReadonlyArray<Delivery> | undefined
}

interface Deeds {
  readonly change: (mapping: Mapping) => void
  readonly remove: (mapping: Mapping) => void
}

const productOf = ({ external_offer_id, external_product_id }: Mapping) =>
  external_offer_id === null ? external_product_id : `${external_product_id} · ${external_offer_id}`

const columns = ({ deliveries, platforms }: Known, { change, remove }: Deeds): ReadonlyArray<Column<Mapping>> => [
  {
    key: "product",
    head: said(words).product,
    cell: (mapping) => (
      <>
        <bdi>{productOf(mapping)}</bdi> <span class="soft small">{platformName(platforms, mapping.platform)}</span>
      </>
    )
  },
  {
    key: "access",
    head: said(words).access,
    cell: ({ delivery_id }) => {
      const delivery = deliveries?.find(({ id }) => id === delivery_id)
      return delivery === undefined ? "" : <bdi>{deliveryLabel(delivery)}</bdi>
    }
  },
  {
    key: "days",
    head: said(words).days,
    width: "9rem",
    isMinor: true,
    cell: ({ access_days }) => access_days === null ? said(words).asDelivery : said(salesWords).days(access_days)
  },
  {
    key: "actions",
    head: said(words).actions,
    width: "13rem",
    isMinor: true,
    cell: (mapping) => (
      <span class="actions">
        <button type="button" class="quiet" onClick={() => change(mapping)}>{said(words).change}</button>
        <button type="button" class="quiet" onClick={() => remove(mapping)}>{said(words).remove}</button>
      </span>
    )
  }
]

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

/** What products give access to, and those that give none yet. */
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
  const deeds = {
    change: (mapping: Mapping) => (changing.value = mapping),
    remove: (mapping: Mapping) => (removing.value = mapping)
  }
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
        <Table
          label={said(words).mapped}
          columns={columns({ platforms, deliveries }, deeds)}
          list={wholeList(mappings)}
          keyOf={({ id }) => id}
          empty={<Empty title={said(words).none} action={mapButton}>{said(words).noneText}</Empty>}
        />
      </section>
      {isMapping.value && <MappingForm club={club} onClose={() => (isMapping.value = false)} onMade={told} />}
      {changing.value !== undefined && (
        <MappingForm
          club={club}
          mapping={changing.value}
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
