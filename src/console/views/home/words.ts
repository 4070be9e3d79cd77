import { counted } from "../../../browser/client/Format.ts"
import { spoken } from "../../../browser/client/Language.ts"

const many = (count: number, one: string, other: string) => count === 1 ? `1 ${one}` : `${count} ${other}`

/** The words of the overview. */
export const words = spoken(
  {
    attempts: "Deliveries",
    attemptsFailed: (failed: string, all: string) => `${failed} of ${all} attempts failed in 24 hours`,
    attemptsNone: "Nothing was sent in 24 hours",
    attemptsWell: (all: string) => `All ${all} attempts succeeded in 24 hours`,
    billing: "Billing",
    billingNear: (names: string) => `Nearly used up in this period: ${names}`,
    billingOver: (names: string) => `Used up and refused until the period ends: ${names}`,
    billingWell: "No limit of the plan is used up",
    endpoints: (stopped: number, held: number, failing: number, paused: number, well: number) =>
      [
        stopped > 0 ? `${many(stopped, "endpoint was", "endpoints were")} stopped because of failures` : "",
        held > 0 ? `${held} held after failures` : "",
        failing > 0 ? `${many(failing, "failed", "failed")} last time` : "",
        paused > 0 ? `${paused} paused or off` : "",
        well > 0 ? `${well} well` : ""
      ].filter((part) => part !== "").join(", "),
    endpointsNone: "No endpoint gets this club's events yet",
    fine: "Everything is all right.",
    imports: "Imports",
    importsNone: "No import is running",
    importsRunning: (count: number, processed: string, total: string) =>
      `${many(count, "import is", "imports are")} running: ${processed} of ${total} rows`,
    looking: "Checking…",
    matters: "How the club is",
    sales: "Sales",
    salesNone: "Every product gives access to something",
    salesUnmapped: (products: string, events: string, isOne: boolean) =>
      `${isOne ? "1 product gives" : `${products} products give`} access to nothing yet: ${
        events === "1" ? "1 sale waits" : `${events} sales wait`
      }`,
    students: "Students",
    studentsNew: (count: string, isOne: boolean) => `${count} new ${isOne ? "student" : "students"} in 7 days`,
    studentsNone: "Nobody new in 7 days",
    support: "Support",
    supportNone: "Every conversation is read",
    supportUnread: (count: string, isOne: boolean) =>
      isOne ? "1 conversation has unread messages" : `${count} conversations have unread messages`,
    title: "Overview",
    unread: "This could not be loaded",
    want: (count: number) => count === 1 ? "One thing needs your attention." : `${count} things need your attention.`,
    webhooks: "Webhooks"
  },
  {
    attempts: "Envios",
    attemptsFailed: (failed, all) => `${failed} de ${all} tentativas falharam em 24 horas`,
    attemptsNone: "Nada foi enviado em 24 horas",
    attemptsWell: (all) => `Todas as ${all} tentativas deram certo em 24 horas`,
    billing: "Assinatura",
    billingNear: (names) => `Quase no fim neste período: ${names}`,
    billingOver: (names) => `Esgotado e recusado até o fim do período: ${names}`,
    billingWell: "Nenhum limite do plano se esgotou",
    endpoints: (stopped, held, failing, paused, well) =>
      [
        stopped > 0 ? `${many(stopped, "endpoint parado", "endpoints parados")} por falhas` : "",
        held > 0 ? counted(held, "1 retido após falhas", `${held} retidos após falhas`) : "",
        failing > 0 ? `${many(failing, "falhou", "falharam")} da última vez` : "",
        paused > 0 ? `${many(paused, "pausado ou desligado", "pausados ou desligados")}` : "",
        well > 0 ? `${well} sem problemas` : ""
      ].filter((part) => part !== "").join(", "),
    endpointsNone: "Nenhum endpoint recebe os eventos deste clube ainda",
    fine: "Está tudo certo.",
    imports: "Importações",
    importsNone: "Nenhuma em andamento",
    importsRunning: (count, processed, total) =>
      `${many(count, "importação", "importações")} em andamento: ${processed} de ${total} linhas`,
    looking: "Verificando…",
    matters: "Como está o clube",
    sales: "Vendas",
    salesNone: "Todos os produtos dão acesso a alguma entrega",
    salesUnmapped: (products, events, isOne) =>
      `${isOne ? "1 produto ainda não dá" : `${products} produtos ainda não dão`} acesso a nada: ${
        events === "1" ? "1 venda aguarda" : `${events} vendas aguardam`
      }`,
    students: "Alunos",
    studentsNew: (count, isOne) => isOne ? "1 aluno novo em 7 dias" : `${count} alunos novos em 7 dias`,
    studentsNone: "Ninguém novo em 7 dias",
    support: "Suporte",
    supportNone: "Todas as conversas foram lidas",
    supportUnread: (count, isOne) =>
      isOne ? "1 conversa tem mensagens não lidas" : `${count} conversas têm mensagens não lidas`,
    title: "Visão geral",
    unread: "Não foi possível carregar",
    want: (count) => count === 1 ? "1 item precisa da sua atenção." : `${count} itens precisam da sua atenção.`,
    webhooks: "Webhooks"
  }
)
