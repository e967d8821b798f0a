// Writes JSON objects, one a line. Keys are ours; values may be anything.
#pragma once

#include <stdint.h>
#include <string>

namespace simt {

class Json {
public:
    Json& begin_object() { return open('{'); }
    Json& end_object() { return close('}'); }
    Json& begin_array() { return open('['); }
    Json& end_array() { return close(']'); }

    Json& key(const char* name);
    Json& string(const char* value);
    Json& number(int64_t value);
    Json& number(uint64_t value);
    Json& number(unsigned value) { return number(uint64_t{value}); }
    Json& number(int value) { return number(int64_t{value}); }
    Json& number(double value);
    Json& truth(bool value);

    void newline();
    const std::string& text() const { return text_; }

private:
    Json& open(char bracket);
    Json& close(char bracket);
    Json& raw(const char* value);

    std::string text_;
    bool first_ = true;  // nothing before it that a comma must part it from
};

}  // namespace simt
