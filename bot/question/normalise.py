"""Slack text to plain text."""

from __future__ import annotations

import re
import unicodedata
from html import unescape
from typing import NamedTuple

MAX_CHARACTERS = 10_000  # what is longer is cut: nobody asks a question that long

# Some emoji turn into Chinese characters or plain digits under NFKC, so they go first.
_EMOJI = re.compile(
    "[0-9#*]\ufe0f?\u20e3"
    "|[\u3297\u3299\U0001f000-\U0001faff\u2600-\u2712\u2717-\u27bf\u2b00-\u2bff\u200b-\u200f\u2060\ufe00-\ufe0f\ufeff]"
)
_SPECIAL = re.compile(r"<(?:@|#|!)[^>]*>")
_LABELLED = re.compile(r"<[a-z]+:[^|>]*\|([^>]*)>")
_LINK = re.compile(r"<[a-z]+:[^>]*>")
_STRUCK = re.compile(r"(?<!\w)~(?=\S)[^~]*[^~\s]~(?!\w)")
_EMOJI_CODE = re.compile(r":[a-z][a-z0-9_+-]*:")
_URL = re.compile(r"https?://[^\s一-鿿]+")
_BOLD = re.compile(r"(?<![\w*])\*(?=\S)([^*]*[^*\s])\*(?![\w*])")
_ITALIC = re.compile(r"(?<!\w)_(?=\S)([^_]*[^_\s])_(?!\w)")
_SLASH = re.compile(r"^\s*/([a-z][a-z0-9_-]*)(?=\s|$)\s*", re.IGNORECASE)
_CHAT = {
    "u": "you", "ur": "your", "r": "are", "wat": "what", "wut": "what", "hw": "how", "abt": "about",
    "w/o": "without ", "w/": "with ", "gimme": "give me", "wanna": "want to",
}  # fmt: skip
_CHATTY = re.compile(r"(?<![\w./&'-])(?:w/o|w/|(?:u|ur|r|wat|wut|hw|abt|gimme|wanna)(?![\w./&'-]))")
_HAN = re.compile(r"[㐀-䶿一-鿿]")
_TIMES = re.compile(r"[×✕✖]")
_QUOTES = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "½": " 1/2", "–": "-", "—": "-", "−": "-"})


# Traditional characters of words that people type here, each before its simplified form.
_PAIRS = """
張张 時时 臺台 個个 價价 錢钱 雲云 顯显 體体 練练 訓训 調调 開开 發发 單单 雙双 輸输 據据 儲储 現现
對对 於于 還还 劃划 與与 國国 內内 華华 為为 騰腾 訊讯 裡里 裏里 預预 費费 貴贵 幾几 週周 萬万 億亿
兩两 塊块 線线 網网 絡络 計计 機机 節节 點点 廠厂 務务 產产 業业 從从 給给 會会 來来 說说 這这 麼么
嗎吗 沒没 請请 問问 題题 買买 賣卖 較较 區区 歐欧 亞亚 東东 韓韩 灣湾 馬马 規规 適适 選选 擇择 應应
該该 別别 讓让 條条 載载 傳传 導导 寫写 換换 續续 斷断 檢检 測测 試试 評评 數数 筆笔 長长 間间 過过
進进 運运 遷迁 達达 遠远 邊边 連连 復复 難难 離离 隨随 險险 際际 須须 頻频 額额 類类 頭头 項项 順顺
驗验 驅驱 後后 隻只 顆颗 夠够 準准 裝装 剛刚 搶抢 競竞 實实 獨独 圍围 優优 團团 隊队 創创 聯联 繫系
級级 約约 總总 終终 組组 結结 絕绝 統统 經经 維维 紅红 純纯 穩稳 積积 稱称 種种 簡简 簽签 範范 織织
縮缩 聽听 職职 聲声 腦脑 舊旧 處处 號号 術术 補补 製制 複复 見见 視视 覺觉 觀观 訂订 記记 許许 設设
詢询 認认 語语 誤误 誰谁 課课 談谈 論论 證证 識识 譯译 議议 變变 讀读 負负 財财 責责 貨货 資资 賬账
質质 購购 車车 軟软 輕轻 轉转 辦办 農农 遲迟 郵邮 鄰邻 釋释 針针 銀银 銷销 錯错 鐘钟 鏈链 門门 閉闭
閒闲 關关 陣阵 階阶 隱隐 雖虽 電电 靈灵 靜静 韌韧 響响 頓顿 顧顾 風风 飛飞 館馆 馴驯 騙骗 黃黄 參参
幣币 廣广 戶户 擔担 擬拟 擴扩 敗败 暫暂 極极 構构 樣样 標标 權权 歸归 決决 滿满 漲涨 狀状 獲获 環环
畫画 異异 盤盘 礎础 確确 碼码 雜杂 陸陆 願愿 頁页 賺赚 贏赢 趕赶 跡迹 軍军 鋪铺 鍵键 鎖锁 閱阅
並并 佔占 佈布 併并 係系 倆俩 們们 倫伦 偉伟 側侧 備备 傢家 僅仅 儘尽 冊册 刪删 則则 剋克 劇剧 動动
勞劳 勢势 匯汇 協协 卻却 厰厂 叄叁 啓启 啟启 喫吃 嘍喽 噹当 嚮向 圖图 報报 場场 壓压 壞坏 夥伙 奧奥
妳你 學学 寧宁 審审 寬宽 寶宝 將将 專专 層层 屬属 岡冈 峯峰 島岛 師师 帶带 幀帧 幫帮 幹干 庫库 廳厅
強强 彆别 彈弹 彙汇 恆恒 愛爱 態态 慮虑 慶庆 懷怀 戲戏 掛挂 採采 揹背 摺折 撐撑 擁拥 攤摊 曆历 書书
棧栈 橋桥 橫横 檔档 歷历 毀毁 氣气 況况 減减 漢汉 濟济 災灾 無无 煉炼 煩烦 熱热 爲为 爾尔 産产 當当
盡尽 監监 盧卢 眾众 瞭了 礦矿 禮礼 稅税 穫获 箇个 篩筛 籃篮 籤签 糾纠 納纳 紐纽 紛纷 紹绍 絶绝 綫线
緣缘 編编 緻致 績绩 繞绕 繼继 纍累 纔才 羅罗 羣群 義义 習习 聖圣 聞闻 腳脚 臨临 蓋盖 薦荐 藍蓝 蘇苏
蘭兰 虛虚 虧亏 蠻蛮 衆众 衛卫 覈核 觸触 託托 訪访 註注 証证 詩诗 話话 誌志 誒诶 説说 誼谊 諾诺 謂谓
講讲 謝谢 譜谱 護护 豐丰 貓猫 貝贝 賃赁 賓宾 賠赔 賽赛 趨趋 蹟迹 輪轮 迴回 遊游 憶忆 違违 遜逊 遞递 釦扣
鈕钮 錄录 録录 錶表 鍊炼 鍋锅 鎊镑 鏡镜 鐵铁 鑑鉴 鑒鉴 鑰钥 鍾钟 陽阳 雞鸡 頂顶 領领 飯饭 餘余 駐驻
駕驾 髮发 魯鲁 麥麦 麵面 黨党
"""
_SIMPLIFIED = str.maketrans({pair[0]: pair[1] for pair in _PAIRS.split()})


class Plain(NamedTuple):
    """One message without Slack's marks. ``command`` is the slash command it began with, if any."""

    text: str
    lang: str
    command: str


def normalise(text: str) -> Plain:
    """The plain text of a Slack message, its language and its slash command."""
    text = _EMOJI.sub(" ", text[:MAX_CHARACTERS].translate(_QUOTES))
    text = unicodedata.normalize("NFKC", text).translate(_SIMPLIFIED)
    text = _SPECIAL.sub(" ", text)
    text = _LABELLED.sub(r" \1 ", text)
    text = _LINK.sub(" ", text)
    text = unescape(text)
    text = _STRUCK.sub(" ", text)
    text = _EMOJI_CODE.sub(" ", text)
    text = _URL.sub(" ", text)
    text = _TIMES.sub(" x ", text)
    text = _BOLD.sub(r"\1", text.replace("```", " ").replace("`", ""))
    text = _ITALIC.sub(r"\1", text)
    text = _CHATTY.sub(lambda m: _CHAT[m.group()], text)
    command = _SLASH.match(text)
    if command:
        text = text[command.end() :]
    lang = "zh" if _HAN.search(text) else "en"
    return Plain(" ".join(text.split()), lang, command.group(1).lower() if command else "")
