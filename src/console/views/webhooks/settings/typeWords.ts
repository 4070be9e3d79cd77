// When each type of events is sent, in Portuguese; in English the API says it. Pure.

/** The sentence about each type, by its name. */
export const typeWords: Readonly<Record<string, string>> = {
  "access.extended": "O fim de um acesso foi adiado",
  "access.granted":
    "Um aluno ganhou acesso a uma entrega (compra, assinatura, liberação manual, convite, importação, link de inscrição, entrega gratuita)",
  "access.moved": "Um acesso mudou de turma",
  "access.restored": "Um acesso retirado foi restaurado",
  "access.revoked": "Um aluno perdeu um acesso (reembolso, cancelamento sem tolerância, retirada manual, remoção)",
  "access.shortened": "O fim de um acesso foi antecipado",
  "course.completed": "Um aluno terminou todas as aulas publicadas do curso; uma vez por aluno e curso",
  "lesson.completed": "Um aluno concluiu uma aula pela primeira vez; desfazer e concluir de novo não repete o evento",
  "purchase.paid":
    "A compra de um produto mapeado foi aprovada; uma vez por compra, mesmo que a plataforma a envie de novo",
  "purchase.refunded": "Um reembolso ou um chargeback; `purchase.status` diz qual",
  "student.created":
    "Uma conta de aluno foi criada no clube (cadastro, compra, convite, importação ou link de inscrição). O e-mail pode não estar confirmado",
  "student.removed": "Um aluno foi removido e seus dados foram anonimizados; o conteúdo só leva o id",
  "student.updated": "O nome ou o e-mail do aluno mudou",
  "subscription.canceled": "Uma assinatura foi cancelada; com `current_period_end` no futuro, o acesso dura até lá",
  "subscription.past_due":
    "Uma cobrança da assinatura está atrasada; uma vez por atraso, não por tentativa da plataforma",
  "webhook.test": "A mensagem do botão de teste; nada aconteceu de verdade"
}
